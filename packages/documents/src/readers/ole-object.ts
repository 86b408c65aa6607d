import { decodeText } from '../text/charset.ts';
import { openCompoundFile } from './hwp/compound.ts';
import { u16At, u32At } from './hwp/bytes.ts';

/** A file that an object of another program holds. */
export interface ObjectFile {
  /** What it was called; null where the object does not say. */
  readonly name: string | null;
  readonly bytes: Uint8Array;
}

/** A text in the code page of the machine that wrote it, up to its end. */
function textAt(bytes: Uint8Array, at: number): { readonly text: string; readonly next: number } {
  const end = bytes.indexOf(0, at);
  const to = end < 0 ? bytes.length : end;
  return { text: decodeText(bytes.subarray(at, to)).text, next: to + 1 };
}

/** A file that was put in as it is. Source: MS-OLEDS, and what the packager of Windows writes within its native data. */
function packedFile(stream: Uint8Array): ObjectFile | null {
  if (u16At(stream, 4) !== 2) return null;
  const label = textAt(stream, 6);
  const path = textAt(stream, label.next);
  const command = path.next + 4;
  const size = command + 4 + u32At(stream, command);
  const start = size + 4;
  if (start > stream.length) return null;
  const name = label.text.split(/[\\/]/u).at(-1) ?? '';
  return { name: name === '' ? null : name, bytes: stream.subarray(start, start + u32At(stream, size)) };
}

const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-';

/**
 * The file in an object (a compound file of OLE): a document of a newer program, a PDF, or a file that was put in as it is. Null for objects
 * whose content is the program's own, such as formulas and older sheets. Throws ParseError for what is no compound file. `limit`: entries.
 */
export function fileInObject(object: Uint8Array, limit: number): ObjectFile | null {
  const { stream } = openCompoundFile(object, limit);
  for (const name of ['Package', 'EmbeddedOdf', 'CONTENTS']) {
    const bytes = stream(name);
    if (bytes !== null && (name !== 'CONTENTS' || isPdf(bytes))) return { name: null, bytes };
  }
  const native = stream('\u0001Ole10Native');
  return native === null ? null : packedFile(native);
}
