import { ParseError, sniffFormat } from '@ai-studio/documents';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { parseDocument, type ParseDeps } from '../parsing/index.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { openAgentFile } from './files.ts';
import type { NodeDeps } from './nodes/node.ts';

export interface ReadDocumentDeps extends Omit<ParseDeps, 'now'> {
  readonly blobs: BlobStore;
  /** Where files lie while they are read. */
  readonly folder: string;
}

/** What whoever sent a file can do; parsers say it for the others themselves. */
const advice: Partial<Record<ParseError['code'], string>> = {
  CORRUPTED: ' Open it in its program, save it anew and send that.',
  TIMEOUT: ' Split it and send a part.',
};

/** Why a file of a message cannot be read, in words for whoever sent it. */
function unreadable(error: unknown, name: string): unknown {
  if (!(error instanceof StudioError) || !(error.cause instanceof ParseError)) return error;
  const { code, message } = error.cause;
  const text = `The file ${JSON.stringify(name)} cannot be read: ${message}${advice[code] ?? ''}`;
  return new StudioError(error.code, text, { cause: error, reason: code.toLowerCase() });
}

/** Largest text that is given as it is, in bytes: more than all documents of a node may hold. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** By the mark at their beginning, in hex. */
const utf16: Readonly<Record<string, typeof utf8>> = {
  fffe: new TextDecoder('utf-16le', { fatal: true }),
  feff: new TextDecoder('utf-16be', { fatal: true }),
};
/** What older programs of Korea write. It lacks rare syllables. */
const eucKr = new TextDecoder('euc-kr', { fatal: true });

/** A text in UTF-8, in UTF-16 with its mark, or in EUC-KR, without its mark; null for any other. */
function decodeText(bytes: Buffer): string | null {
  const marked = utf16[bytes.toString('hex', 0, 2)];
  for (const decoder of marked === undefined ? [utf8, eucKr] : [marked])
    try {
      const text = decoder.decode(bytes);
      // UTF-16 without a mark, and what is no text.
      return text.includes('\0') ? null : text;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  return null;
}

/** A file whose text says all there is, sign by sign: plain text, JSON and the like, CSV, Markdown; null for what is to be read. */
async function plainText(path: string, name: string): Promise<string | null> {
  if ((await stat(path)).size > MAX_TEXT_BYTES) return null;
  const bytes = await readFile(path);
  try {
    return ['text', 'csv', 'markdown'].includes(sniffFormat(bytes, name)) ? decodeText(bytes) : null;
  } catch (error) {
    // Its reader says it.
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** Reads files of runs: texts as they are, all others as Markdown with the document parser. */
export const createReadDocument =
  ({ blobs, folder, ...parsing }: ReadDocumentDeps): NodeDeps['readDocument'] =>
  async (tenantId, { id, name }, signal, onPage) => {
    const path = join(folder, `agent-${hexId()}`);
    try {
      await openAgentFile({ blobs }, tenantId, id, path);
      const plain = await plainText(path, name);
      if (plain !== null) {
        onPage?.(1, 1);
        return { text: plain, pages: 1 };
      }
      const fields = { parser_type: 'auto', response_format: 'markdown' } as const;
      const deps = { ...parsing, now: Date.now };
      const { json, pages } = await parseDocument(
        deps,
        { tenantId, signal, ...(onPage ? { onPage } : {}) },
        { path, name },
        fields,
      );
      const { contents } = JSON.parse(Buffer.from(json).toString('utf8')) as { readonly contents?: string };
      return { text: contents ?? '', pages };
    } catch (error) {
      throw unreadable(error, name);
    } finally {
      await rm(path, { force: true });
    }
  };
