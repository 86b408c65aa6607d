import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RetrievalDeps } from '../deps.ts';
import { type DocumentRow, originalKey, packedKey } from './rows.ts';

/** As documents are packed that were read. */
const pack = promisify(gzip);

/** What was read of a document, packed; null where it has not been read yet. `urgent`: somebody waits for it. */
export async function loadRead(
  { blobs, texts }: Pick<RetrievalDeps, 'blobs' | 'texts'>,
  { id, tenant_id: tenantId, name, revision }: Pick<DocumentRow, 'id' | 'tenant_id' | 'name' | 'revision'>,
  how: { readonly urgent: boolean },
): Promise<Buffer | null> {
  const packed = await blobs.get(packedKey({ id, tenantId }));
  if (packed !== null) return buffer(packed);
  // What was read of short texts, which are taken in together, is not kept.
  const original = revision === null ? null : await blobs.get(originalKey({ id, tenantId }));
  if (original === null) return null;
  const json = await texts.do({ type: 'show', file: { name, bytes: await buffer(original) } }, how);
  return json === null ? null : pack(json, { level: 1 });
}
