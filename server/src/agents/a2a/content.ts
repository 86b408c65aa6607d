import { createHash } from 'node:crypto';
import type { Part03 } from '@ai-studio/contract/a2a/v03.ts';
import type { Part10 } from '@ai-studio/contract/a2a/v10.ts';
import type { IncomingFile, IncomingMessage } from './calls.ts';
import { base64Length } from '../../kernel/base64.ts';
import { createTurnBudget } from '../../kernel/turns.ts';
import { typeByName } from '../media-types.ts';
import { A2aError } from './errors.ts';
import { unwrapData } from './parts.ts';

// What the parts of a message say, the same for both forms.

/** Most files of a message. */
const MAX_FILES = 20;

/** A part of either form. */
type Piece =
  | { readonly text: string }
  | { readonly data: unknown }
  | { readonly name: string | null; readonly mediaType: string | null; readonly bytes: string }
  | { readonly name: string | null; readonly mediaType: string | null; readonly url: string };

export function piece03(part: Part03): Piece {
  if (part.kind === 'text') return { text: part.text };
  if (part.kind === 'data') return { data: unwrapData(part.data, part.metadata) };
  const { name = null, mimeType = null, bytes, uri } = part.file;
  return typeof bytes === 'string'
    ? { name, mediaType: mimeType, bytes }
    : { name, mediaType: mimeType, url: uri ?? '' };
}

export function piece10({ text, raw, url, data, filename = null, mediaType = null }: Part10): Piece {
  if (typeof text === 'string') return { text };
  if (typeof raw === 'string') return { name: filename, mediaType, bytes: raw };
  if (typeof url === 'string') return { name: filename, mediaType, url };
  return { data };
}

/** Data that is nested deeper has no use, and would exhaust whatever walks through it. */
const MAX_DEPTH = 100;

/** Throws A2aError `params` for what is nested too deep. */
function checkDepth(value: unknown, depth = 0): void {
  if (depth > MAX_DEPTH)
    throw new A2aError('params', `params.message.parts: data may be nested ${MAX_DEPTH} levels deep`);
  if (typeof value !== 'object' || value === null) return;
  for (const one of Object.values(value)) checkDepth(one, depth + 1);
}

/** JSON with the keys of every object in order, piece by piece. */
function* canonicalPieces(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  const entries = isList ? value.entries() : Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  let before = isList ? '[' : '{';
  for (const [key, one] of entries) {
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* canonicalPieces(one);
    before = ',';
  }
  yield before === ',' ? (isList ? ']' : '}') : isList ? '[]' : '{}';
}

/** What each piece takes beside its length, in units of text. */
const UNITS_A_PIECE = 5;

/**
 * SHA-256 of what a message says, in hex: the same for the same content in either form and in any order of keys. Other requests run
 * between its pieces.
 */
export async function hashOf({ said }: Pick<IncomingMessage, 'said'>): Promise<string> {
  const spend = createTurnBudget();
  const hash = createHash('sha256');
  let text = '';
  for (const piece of canonicalPieces(said)) {
    text += piece;
    const turn = spend(piece.length + UNITS_A_PIECE);
    if (!turn) continue;
    await turn;
    hash.update(text);
    text = '';
  }
  return hash.update(text).digest('hex');
}

/** Longest text of a message, in characters: more than any model reads. */
const MAX_TEXT_LENGTH = 2_000_000;

/** The last part of a path, without what a file system or a header would stumble over. */
function plainName(name: string | null, fallback: string): string {
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  const plain = last.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  return plain === '' || plain === '.' || plain === '..' ? fallback : plain.slice(0, 255);
}

function nameInUrl(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function fileOf(piece: Extract<Piece, { name: string | null }>, index: number, place: string): IncomingFile {
  const fallback = `file-${index + 1}`;
  if ('url' in piece) {
    if (!URL.canParse(piece.url)) throw new A2aError('params', `${place}: the address of the file is none`);
    const name = plainName(piece.name ?? nameInUrl(piece.url), fallback);
    // Its server may say more.
    return { name, mediaType: piece.mediaType || 'application/octet-stream', content: { url: piece.url } };
  }
  const digits = base64Length(piece.bytes, { alphabet: 'both', spaced: false });
  if (digits === null || digits % 4 === 1)
    throw new A2aError('params', `${place}: the bytes of the file are not base64`);
  if (digits === 0) throw new A2aError('params', `${place}: the file is empty`);
  const name = plainName(piece.name, fallback);
  return {
    name,
    mediaType: piece.mediaType || typeByName(name),
    content: { bytes: Buffer.from(piece.bytes, 'base64') },
  };
}

/** A message of neutral parts. `place` names them in what callers are told. Throws A2aError `params`. */
export function messageOf(
  head: Pick<IncomingMessage, 'id' | 'taskId' | 'contextId'> & { readonly sessionId: number | null },
  pieces: readonly Piece[],
): IncomingMessage {
  const texts: string[] = [];
  const data: unknown[] = [];
  const files: IncomingFile[] = [];
  for (const [index, piece] of pieces.entries()) {
    if ('text' in piece) texts.push(piece.text);
    else if ('data' in piece) data.push(piece.data);
    else files.push(fileOf(piece, files.length, `params.message.parts[${index}]`));
  }
  if (files.length > MAX_FILES) throw new A2aError('params', `A message brings at most ${MAX_FILES} files`);
  const text = texts.join('\n');
  if (text.length > MAX_TEXT_LENGTH)
    throw new A2aError('params', `params.message.parts: the text may have ${MAX_TEXT_LENGTH} characters; send files`);
  // Agents could only fail at it, and the caller would be told of a failure of the service.
  if (text.trim() === '' && files.length + data.length === 0)
    throw new A2aError('params', 'params.message.parts: the message is empty; say something, or send a file or data');
  const { id, taskId, contextId, sessionId } = head;
  const said = { pieces, taskId, contextId, sessionId };
  checkDepth(said);
  return {
    id,
    taskId,
    contextId,
    text,
    files,
    data: data.length > 1 ? data : (data[0] ?? null),
    said,
  };
}
