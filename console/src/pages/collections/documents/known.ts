import { KnownFiles } from '@ai-studio/contract/console/retrieval.ts';
import { api } from '../../../api/client.ts';
import { pathOf } from '../queries.ts';
import type { DroppedFile } from './dropped.ts';

/** A file that the collection has already, by its content or by its name. */
export interface KnownFile {
  readonly dropped: DroppedFile;
  readonly by: 'content' | 'name';
  readonly documentId: string;
  readonly documentName: string;
}

/** What is done with files that are there already. */
export type KnownChoice = 'replace' | 'both' | 'skip';

/** Files that the service is asked about at a time. */
const MAX_ASKED = 1_000;
/** Larger files are compared by name alone: a browser hashes what it holds in memory. */
const MAX_HASHED_BYTES = 64 * 1_024 ** 2;

/** SHA-256 in hex; undefined where the browser gives none, as over plain http, or the file cannot be read. */
async function hashOf(file: File): Promise<string | undefined> {
  // Over plain http there is no such thing, whatever the types say.
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined || file.size > MAX_HASHED_BYTES) return undefined;
  try {
    const digest = await subtle.digest('SHA-256', await file.arrayBuffer());
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return undefined;
  }
}

/** Which of these files the collection has already. */
export async function findKnown(collectionId: string, files: readonly DroppedFile[]): Promise<readonly KnownFile[]> {
  const known: KnownFile[] = [];
  for (let from = 0; from < files.length; from += MAX_ASKED) {
    const part = files.slice(from, from + MAX_ASKED);
    const asked = [];
    for (const { file, folder } of part) {
      const sha256 = await hashOf(file);
      asked.push({
        name: file.name,
        ...(folder === null ? {} : { folder }),
        ...(sha256 === undefined ? {} : { sha256 }),
      });
    }
    const { items } = await api.post(`${pathOf(collectionId)}/documents/known`, { files: asked }, KnownFiles);
    for (const { index, by, document_id: documentId, document_name: documentName } of items) {
      const dropped = part[index];
      if (dropped !== undefined) known.push({ dropped, by, documentId, documentName });
    }
  }
  return known;
}

/** What is sent of the files once somebody has chosen; each that replaces a document names it. */
export function filesAfter(
  files: readonly DroppedFile[],
  known: readonly KnownFile[],
  choice: KnownChoice,
): readonly DroppedFile[] {
  if (choice === 'both') return files;
  const byFile = new Map(known.map((one) => [one.dropped, one]));
  return files.flatMap((dropped) => {
    const one = byFile.get(dropped);
    if (one === undefined) return [dropped];
    return choice === 'skip' ? [] : [{ ...dropped, replaces: one.documentId }];
  });
}
