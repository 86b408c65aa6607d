import type { Block, Document, DocumentFormat, Warning } from '../document.ts';
import type { OfficePackage } from '../package/office.ts';
import type { Relation } from '../package/relations.ts';
import { ParseError } from '../parse-error.ts';
import type { Reader, ReadOptions } from '../reader.ts';
import { sniffFormat } from '../sniff.ts';
import { isCompoundFile } from './hwp/compound.ts';
import { innerBlocks } from './inner.ts';
import { fileInObject } from './ole-object.ts';
import { readShownXls } from './xls/index.ts';
import { readShownSheet } from './xlsx/shown-sheet.ts';

/** What reads the part of a workbook that is shown. */
const shownBy: Partial<Record<DocumentFormat, Reader>> = { xlsx: readShownSheet, xls: readShownXls };

/** Streams of an object; those of programs have a dozen. */
const MAX_STREAMS = 10_000;

type ReadInner = ReadOptions['readInner'];

const isPackage = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3;

const fileName = (part: string): string => part.slice(part.lastIndexOf('/') + 1);

const notRead = (name: string, why: string): Warning => ({
  code: 'part_ignored',
  message: `A document of another format inside this one (${name}) was left out: ${why}`,
});

/** The blocks of a document within another one; null, with a warning, for one that lies too deep. */
function blocksOf(name: string, document: Document | null | undefined, { warn }: OfficePackage): Block[] | null {
  if (document == null) {
    warn(notRead(name, 'it lies too deep within other files.'));
    return null;
  }
  for (const { code, message } of document.warnings) warn({ code, message: `${name}: ${message}` });
  return innerBlocks(document, `${name}-`, 0);
}

/** Reads a part of an Office file that its text goes on with, such as a page (HTML). Null for one that can't be read, with a warning. */
export async function readChunk(office: OfficePackage, part: string, readInner: ReadInner): Promise<Block[] | null> {
  const name = fileName(part);
  const bytes = await office.pack.read(part);
  if (bytes === null) {
    office.warn(notRead(name, 'it is not there.'));
    return null;
  }
  try {
    return blocksOf(name, await readInner?.(bytes, name), office);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    office.warn(notRead(name, error.message));
    return null;
  }
}

/** Whether a relation leads to a document that a frame shows: to itself, or to an object of OLE that may hold one. */
export const isEmbedded = ({ kind, external }: Relation): boolean =>
  !external && (kind === 'package' || kind === 'oleObject');

/**
 * Reads what a frame of an Office file shows of the document in a part: of a workbook the sheet that is open, of others all. Nothing for what
 * no reader reads, which is a picture; what is damaged or lies too deep is a warning.
 */
export async function readEmbedded(office: OfficePackage, part: string, readInner: ReadInner): Promise<Block[]> {
  const held = await office.pack.read(part);
  if (held === null) {
    office.warn(notRead(fileName(part), 'it is not there.'));
    return [];
  }
  let name = fileName(part);
  try {
    const isObject = isCompoundFile(held);
    if (!isObject && !isPackage(held)) throw new ParseError('CORRUPTED', 'it is damaged.');
    const found = isObject ? fileInObject(held, MAX_STREAMS) : null;
    const bytes = found?.bytes ?? held;
    name = found?.name ?? name;
    // A file that was put in is there as a whole.
    const shown = found?.name == null ? shownBy[sniffFormat(bytes, name)] : undefined;
    const read = shown === undefined ? bytes : async (options: ReadOptions) => shown(bytes, options);
    const document = await readInner?.(read, name);
    // An empty one is told as such where it is a file of its own.
    return document?.blocks.length === 0 ? [] : (blocksOf(name, document, office) ?? []);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    if (error.code !== 'UNSUPPORTED') office.warn(notRead(name, error.message));
    return [];
  }
}
