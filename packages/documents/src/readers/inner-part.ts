import type { Block, Warning } from '../document.ts';
import type { OfficePackage } from '../package/office.ts';
import { ParseError } from '../parse-error.ts';
import type { ReadOptions } from '../reader.ts';
import { innerBlocks } from './inner.ts';
import { readShownSheet } from './xlsx/index.ts';

const notRead = (name: string, why: string): Warning => ({
  code: 'part_ignored',
  message: `A document of another format inside this one (${name}) was left out: ${why}`,
});

/** How a workbook is read that lies in the document; others are read as files of their own. */
const isWorkbook = /\.xls[xm]$/iu;

/**
 * The blocks of a part of an Office file that is a document of its own: what a document shows of it where it is `embedded`, as the text goes on
 * with it otherwise. Null for one that can not be read, with a warning; without one where it is embedded and of a format that no reader
 * reads, as such is a picture.
 */
export async function readInnerPart(
  { pack, warn }: OfficePackage,
  part: string,
  readInner: ReadOptions['readInner'],
  embedded: boolean,
): Promise<readonly Block[] | null> {
  const name = part.slice(part.lastIndexOf('/') + 1);
  const bytes = await pack.read(part);
  if (bytes === null) {
    warn(notRead(name, 'it is not there.'));
    return null;
  }
  try {
    const document = await readInner?.(
      embedded && isWorkbook.test(name) ? async (options) => readShownSheet(bytes, options) : bytes,
      name,
    );
    if (document == null) {
      warn(notRead(name, 'it lies too deep within other files.'));
      return null;
    }
    if (embedded && document.blocks.length === 0) return [];
    for (const { code, message } of document.warnings) warn({ code, message: `${name}: ${message}` });
    return innerBlocks(document, `${name}-`, 0);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    if (!embedded || error.code !== 'UNSUPPORTED') warn(notRead(name, error.message));
    return null;
  }
}
