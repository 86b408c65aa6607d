import { createReadStream } from 'node:fs';
import { explain, suggestKnownFields } from '@ai-studio/contract/explain.ts';
import { BulkLine, MAX_LINE_TEXT } from '@ai-studio/contract/retrieval/bulk.ts';
import { invalidRequest, type StudioError } from '../../../kernel/errors.ts';

/** Longest line: a text of any letters, each of which may be written as an escape of six bytes, with its metadata. */
const MAX_LINE_BYTES = MAX_LINE_TEXT * 6 + 500_000;

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

/** A line of a file, from 1: its text, or what is wrong with it. */
export type FileLine = { readonly line: number } & ({ readonly text: string } | { readonly error: StudioError });

const NEWLINE = 0x0a;
/** A mark of UTF-8 before the text is left out. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function readLine(line: number, bytes: Uint8Array): FileLine | null {
  try {
    const text = utf8.decode(bytes).trim();
    return text === '' ? null : { line, text };
  } catch {
    // Of another charset no letter can be trusted.
    return { line, error: invalidRequest('The line is not valid UTF-8', 'line') };
  }
}

/** The lines of a file that are not blank. Ends may be CRLF. */
export async function* linesOf(path: string): AsyncGenerator<FileLine, void, undefined> {
  let open: Buffer[] = [];
  let length = 0;
  let line = 0;
  const take = (): FileLine | null => {
    line++;
    const found =
      length > MAX_LINE_BYTES
        ? { line, error: invalidRequest('The line is too long', 'line') }
        : readLine(line, Buffer.concat(open));
    open = [];
    length = 0;
    return found;
  };
  const keep = (part: Buffer) => {
    length += part.length;
    if (length > MAX_LINE_BYTES) open = [];
    else open.push(part);
  };
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = part.indexOf(NEWLINE); at >= 0; at = part.indexOf(NEWLINE, from)) {
      keep(part.subarray(from, at));
      from = at + 1;
      const found = take();
      if (found) yield found;
    }
    keep(part.subarray(from));
  }
  const last = take();
  if (last) yield last;
}
