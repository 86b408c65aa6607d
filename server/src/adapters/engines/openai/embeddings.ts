import { type EmbedCall, type EmbedResult, EngineError } from '../../../ports/engine.ts';
import { readUsage } from './fields.ts';
import { asArray, asNumber, asObject } from './json.ts';
import { estimateTextTokens } from './token-estimate.ts';

/** Body of POST /embeddings. Source: OpenAI API reference, "Create embeddings". */
export function embedBody(call: EmbedCall): Buffer {
  const { model, input, dimensions } = call;
  return Buffer.from(
    JSON.stringify({ model, input, encoding_format: 'float', ...(dimensions === null ? {} : { dimensions }) }),
  );
}

/** A vector as numbers, or as base64 of little-endian 32-bit floats. Null when it is neither. */
function readVector(value: unknown): readonly number[] | Float32Array | null {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.length === 0 || bytes.length % 4 !== 0) return null;
    return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4));
  }
  const numbers = asArray(value);
  return numbers.length > 0 && numbers.every((n) => asNumber(n) !== null) ? (numbers as readonly number[]) : null;
}

/** No embedding model reads fewer tokens of a text. */
const SHORTEST_LENGTH = 128;

/**
 * Tokens of texts that the server did not count. That of one text alone tells its caller whether it is too long, so that an estimate which
 * might say so is none: 0.
 */
function estimateTokens({ input }: EmbedCall): number {
  const tokens = estimateTextTokens(input);
  return input.length > 1 || tokens < SHORTEST_LENGTH ? tokens : 0;
}

/** Reads the reply. Throws an EngineError of kind `protocol` when vectors are missing or differ in length. */
export function readEmbeddings(value: unknown, call: EmbedCall, engineId: string): EmbedResult {
  const wrong = (what: string) => new EngineError('protocol', `Engine ${engineId} sent ${what}`);
  const reply = asObject(value);
  const items = asArray(reply?.['data']).map(asObject);
  if (items.length !== call.input.length) throw wrong(`${items.length} vectors for ${call.input.length} texts`);
  const vectors: (readonly number[] | Float32Array)[] = [];
  for (const [position, item] of items.entries()) {
    const vector = readVector(item?.['embedding']);
    if (!vector) throw wrong('a vector that is none');
    vectors[asNumber(item?.['index']) ?? position] = vector;
  }
  const [first] = vectors;
  for (let i = 0; i < call.input.length; i++) {
    if (vectors[i]?.length !== first?.length) throw wrong('vectors of different lengths');
  }
  return { vectors, promptTokens: readUsage(reply?.['usage'])?.promptTokens ?? estimateTokens(call) };
}
