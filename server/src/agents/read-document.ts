import { ParseError } from '@ai-studio/documents';
import { rm } from 'node:fs/promises';
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

/** Reads files of runs with the document parser. */
export const createReadDocument =
  ({ blobs, folder, ...parsing }: ReadDocumentDeps): NodeDeps['readDocument'] =>
  async (tenantId, { id, name }, signal, onPage) => {
    const path = join(folder, `agent-${hexId()}`);
    try {
      await openAgentFile({ blobs }, tenantId, id, path);
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
