import type { Block, Warning } from '../../document.ts';
import type { OfficePackage } from '../../package/office.ts';
import type { Relations } from '../../package/relations.ts';
import { ParseError } from '../../parse-error.ts';
import type { ReadOptions } from '../../reader.ts';
import { innerBlocks } from '../inner.ts';

/** Documents of other formats whose text is a part of this one, such as pages (HTML) that a program has put in, by name of their part. */
export type Chunks = ReadonlyMap<string, readonly Block[]>;

const notRead = (name: string, why: string): Warning => ({
  code: 'part_ignored',
  message: `A document of another format inside this one (${name}) was left out: ${why}`,
});

/** Reads what is to stand in the text from parts of other formats; what can't be read of them is a warning. Source: ECMA-376, part 1, altChunk. */
export async function readChunks(
  office: OfficePackage,
  relations: Relations,
  { readInner }: Pick<ReadOptions, 'readInner'>,
): Promise<Chunks> {
  const chunks = new Map<string, readonly Block[]>();
  for (const { kind, target, external } of relations.values()) {
    if (external || kind !== 'aFChunk' || chunks.has(target)) continue;
    const name = target.slice(target.lastIndexOf('/') + 1);
    const bytes = await office.pack.read(target);
    if (bytes === null) {
      office.warn(notRead(name, 'it is not there.'));
      continue;
    }
    try {
      const document = await readInner?.(bytes, name);
      if (document == null) office.warn(notRead(name, 'it lies too deep within other files.'));
      else {
        chunks.set(target, innerBlocks(document, `${name}-`, 0));
        for (const { code, message } of document.warnings) office.warn({ code, message: `${name}: ${message}` });
      }
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      office.warn(notRead(name, error.message));
    }
  }
  return chunks;
}
