import type { Block } from '../../document.ts';
import type { OfficePackage } from '../../package/office.ts';
import type { Relations } from '../../package/relations.ts';
import type { ReadOptions } from '../../reader.ts';
import { isEmbedded, readChunk, readEmbedded } from '../inner-part.ts';

/** Documents of other formats whose text is a part of this one, such as pages (HTML) that a program has put in, by name of their part. */
export type Chunks = ReadonlyMap<string, readonly Block[]>;

/**
 * Reads what stands in the text from parts of other formats: chunks (ECMA-376, part 1, altChunk) and documents that a frame shows, such as
 * sheets. What can't be read of them is a warning.
 */
export async function readChunks(
  office: OfficePackage,
  relations: Relations,
  readInner: ReadOptions['readInner'],
): Promise<Chunks> {
  const chunks = new Map<string, readonly Block[]>();
  for (const relation of relations.values()) {
    const { kind, target, external } = relation;
    const isChunk = kind === 'aFChunk' && !external;
    if ((!isChunk && !isEmbedded(relation)) || chunks.has(target)) continue;
    const blocks = await (isChunk ? readChunk : readEmbedded)(office, target, readInner);
    if (blocks !== null) chunks.set(target, blocks);
  }
  return chunks;
}
