import { EngineError, type TooLong } from '../../../ports/engine.ts';
import { cleanDetail, parseServerError } from './failures.ts';

/**
 * How servers say that a text is longer than their embedding model reads; `given` and `limit` are tokens, where they are named.
 * Sources: vLLM, `entrypoints/openai/serving_engine.py` and `entrypoints/pooling` (maximum context length); SGLang,
 * `managers/tokenizer_manager.py`; Text Embeddings Inference, `core/src/tokenization.rs`; llama.cpp, `tools/server`
 * (larger than the max context size; physical batch size); Ollama, `server/routes.go`; OpenAI API, error `context_length_exceeded`.
 */
const forms: readonly RegExp[] = [
  /maximum context length is (?<limit>\d+) tokens\W[^\d]*(?<given>\d+)/i,
  /length \(?(?<given>\d+)\)?[^\d]* exceeds [^\d]*(?:maximum|max)[^\d]*(?<limit>\d+)/i,
  /maximum (?:input|context) length is (?<limit>\d+) tokens/i,
  /input \((?<given>\d+) tokens\) is longer than [^\d]*\((?<limit>\d+) tokens\)/i,
  /must have less than (?<limit>\d+) tokens\. given: (?<given>\d+)/i,
  /must have less than \d+ characters/i,
  /input \((?<given>\d+) tokens\) is (?:larger|too large)[^\d]*(?<limit>\d+)/i,
  /request \((?<given>\d+) tokens\) exceeds [^\d]*\((?<limit>\d+) tokens\)/i,
  /reads (?<limit>\d+) tokens at most, but the text has (?<given>\d+)/i,
  /input length exceeds|input is too large|(?:text|input) is too long/i,
];

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** The lengths in what a server said; null where it is not about a length. */
export function readTooLong(message: string): TooLong | null {
  for (const form of forms) {
    const found = form.exec(message);
    if (found) return { given: numberOf(found.groups?.['given']), limit: numberOf(found.groups?.['limit']) };
  }
  return null;
}

/**
 * The refusal of a text that is too long, in whichever status it came: TEI has 413, older llama-servers 500. Null for any other answer.
 */
export function tooLongFailure(engineId: string, status: number, body: string): EngineError | null {
  if (status < 400) return null;
  const message = parseServerError(body)?.message ?? '';
  const tooLong = readTooLong(message);
  if (tooLong === null) return null;
  return new EngineError('refused', `Engine ${engineId} refused a text that is too long (${status})`, {
    status: 400,
    detail: cleanDetail(message),
    tooLong,
  });
}

/** Source: Text Embeddings Inference, `router/src/http/server.rs`: the option max-client-batch-size, 32 unless it is set. */
const batchForm = /batch size \d+ > maximum allowed batch size (\d+)/i;

/** How many texts a server takes in one call, where it refused more; null for any other answer. */
export function readBatchLimit(status: number, body: string): number | null {
  if (status < 400) return null;
  const found = batchForm.exec(parseServerError(body)?.message ?? '');
  return found ? Math.max(1, Number(found[1])) : null;
}
