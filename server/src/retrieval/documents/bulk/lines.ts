import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { explain, suggestKnownFields } from '@ai-studio/contract/explain.ts';
import { BulkLine, MAX_LINE_TEXT } from '@ai-studio/contract/retrieval/bulk.ts';
import { invalidRequest } from '../../../kernel/errors.ts';

/** Longest line: a text of any letters, each of which may be written as an escape, with its metadata. */
const MAX_LINE_LENGTH = MAX_LINE_TEXT * 6 + 500_000;

/** One line of JSON as a document. Throws StudioError `invalid_request`. */
export function parseLine(line: string): BulkLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : '';
    throw Object.assign(invalidRequest(`The line is no JSON: ${why}`, 'line'), { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('The line must be a JSON object', 'line');
  if ('allow' in value)
    // Never taken without its access list: it would be shown to all who may read the collection.
    throw invalidRequest(
      'Documents of this service have no access lists: leave allow out, or use a collection of its own',
      'allow',
    );
  const parsed = BulkLine.safeParse(value, { error: suggestKnownFields });
  if (parsed.success) return parsed.data;
  const { message, param } = explain(parsed.error, value);
  throw invalidRequest(message, param ?? 'line');
}

/** The lines of a file that are not blank, each with its number; one that is too long is null. Ends may be CRLF; a mark of UTF-8 is left out. */
export async function* linesOf(
  path: string,
): AsyncGenerator<{ readonly line: number; readonly text: string | null }, void, undefined> {
  const decoder = new StringDecoder('utf8');
  let open = '';
  let tooLong = false;
  let line = 0;
  const take = (text: string) => {
    line++;
    const whole = (line === 1 ? text.replace(/^\uFEFF/, '') : text).trimEnd();
    const one = tooLong ? { line, text: null } : whole.trim() === '' ? null : { line, text: whole };
    tooLong = false;
    return one;
  };
  for await (const part of createReadStream(path)) {
    const pieces = decoder.write(part as Buffer).split('\n');
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) {
        const one = take(open);
        open = '';
        if (one) yield one;
      }
      if (open.length + piece.length > MAX_LINE_LENGTH) {
        tooLong = true;
        open = '';
      } else if (!tooLong) open += piece;
    }
  }
  const last = take(open + decoder.end());
  if (last) yield last;
}
