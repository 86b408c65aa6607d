import type { BatchEndpoint, BatchError } from '@ai-studio/contract/batches.ts';
import { MAX_EMBEDDINGS_VALUES } from '@ai-studio/contract/embeddings.ts';
import { hash } from 'node:crypto';
import { quoteId } from '../kernel/errors.ts';
import { holdsTooManyValues, MAX_JSON_VALUES } from '../kernel/json-values.ts';
import { type FileLine, readLines } from './read-lines.ts';

/** A line as it asks for something. */
export interface BatchLine {
  readonly customId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type LineFault = Omit<BatchError, 'line'>;

/** Errors that are told of one file; there may be as many as lines. */
const MAX_ERRORS = 100;
const MAX_CUSTOM_ID = 512;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fault = (code: LineFault['code'], message: string, param: string | null = null): LineFault => ({
  code,
  message,
  param,
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The request of a line, or what is wrong with it. */
export function readBatchLine(
  { text }: FileLine,
  endpoint: BatchEndpoint,
): { readonly request: BatchLine } | { readonly fault: LineFault } {
  if (text === null)
    return { fault: fault('invalid_json_line', 'The line is too long for a request, or is not valid UTF-8.') };
  const maxValues = endpoint === '/v1/embeddings' ? MAX_EMBEDDINGS_VALUES : MAX_JSON_VALUES;
  if (holdsTooManyValues(text, maxValues))
    return { fault: fault('invalid_json_line', `The line holds more than ${maxValues} values.`) };
  const value = parse(text);
  if (!isObject(value)) return { fault: fault('invalid_json_line', 'The line is not a JSON object.') };
  const { custom_id: customId, method, url, body } = value;
  const missing = (name: string, what: string) => ({
    fault: fault('missing_required_parameter', `${name} is missing: ${what}.`, name),
  });
  if (typeof customId !== 'string' || customId === '')
    return missing('custom_id', 'give a text that no other line of the file has');
  if (customId.length > MAX_CUSTOM_ID)
    return { fault: fault('invalid_custom_id', `custom_id has more than ${MAX_CUSTOM_ID} characters.`, 'custom_id') };
  if (method !== 'POST') return { fault: fault('invalid_method', 'method must be POST.', 'method') };
  if (url !== endpoint)
    return {
      fault: fault('mismatched_url', `url must be ${endpoint}, the endpoint of the batch.`, 'url'),
    };
  if (!isObject(body)) return missing('body', 'give the body of the request as an object');
  if (body['stream'] === true || body['background'] === true) {
    const name = body['stream'] === true ? 'stream' : 'background';
    return { fault: fault('invalid_request', `body.${name} must be left out or false in a batch.`, `body.${name}`) };
  }
  return { request: { customId, body } };
}

export interface CheckLimits {
  readonly maxLines: number;
  readonly maxLineBytes: number;
}

/** What a file holds. */
export interface CheckedFile {
  /** Its lines that are not blank. */
  readonly total: number;
  /** That its first line names. */
  readonly model: string | null;
  /** The first of what is wrong with it; empty where nothing is. */
  readonly errors: readonly BatchError[];
}

/** Looks at every line of a file, of which it keeps but a digest of each `custom_id`. */
export async function checkFile(
  path: string,
  endpoint: BatchEndpoint,
  { maxLines, maxLineBytes }: CheckLimits,
  signal?: AbortSignal,
): Promise<CheckedFile> {
  const lineOf = new Map<string, number>();
  const errors: BatchError[] = [];
  let total = 0;
  let model: string | null = null;
  for await (const line of readLines(path, maxLineBytes, signal)) {
    if (++total > maxLines) {
      const message = `The file has more than ${maxLines} lines; divide it into several batches.`;
      return { total, model, errors: [{ code: 'too_many_lines', line: null, message, param: null }] };
    }
    const read = readBatchLine(line, endpoint);
    if ('fault' in read) {
      if (errors.length < MAX_ERRORS) errors.push({ ...read.fault, line: line.number });
      continue;
    }
    const { customId, body } = read.request;
    const digest = hash('sha256', customId, 'base64');
    const first = lineOf.get(digest);
    if (first !== undefined) {
      const message = `custom_id ${quoteId(customId)} is that of line ${first} already.`;
      if (errors.length < MAX_ERRORS)
        errors.push({ code: 'duplicate_custom_id', line: line.number, message, param: 'custom_id' });
    } else lineOf.set(digest, line.number);
    if (total === 1 && typeof body['model'] === 'string') model = body['model'].slice(0, 200).replaceAll('\0', '');
  }
  if (total === 0)
    errors.push({ code: 'empty_file', line: null, message: 'The file has no lines with requests.', param: null });
  return { total, model, errors };
}
