import type { PackedPart } from './packed-part.ts';

const LOCAL_HEADER_SIGNATURE = Buffer.from([0x50, 0x4b, 3, 4]);
const CENTRAL_HEADER_SIGNATURE = Buffer.from([0x50, 0x4b, 1, 2]);

/** Offset of the next header, or of the end of the file. */
function nextHeader(bytes: Buffer, from: number): number {
  const local = bytes.indexOf(LOCAL_HEADER_SIGNATURE, from);
  const end = local === -1 ? bytes.length : local;
  const central = bytes.subarray(from, end).indexOf(CENTRAL_HEADER_SIGNATURE);
  return central === -1 ? end : from + central;
}

/**
 * Finds the parts of a package by the headers that stand before them, for one whose directory is missing. Null where there are
 * more than `most`.
 */
export function localParts(bytes: Buffer, most: number): readonly PackedPart[] | null {
  const parts: PackedPart[] = [];
  let at = bytes.indexOf(LOCAL_HEADER_SIGNATURE);
  while (at !== -1 && at + 30 <= bytes.length) {
    const flags = bytes.readUInt16LE(at + 6);
    const nameLength = bytes.readUInt16LE(at + 26);
    const start = at + 30 + nameLength + bytes.readUInt16LE(at + 28);
    if (start > bytes.length) break;
    if (parts.length >= most) return null;
    const given = bytes.readUInt32LE(at + 18);
    // With a descriptor behind the part its size is not known here; nor is one of 4 GiB and more.
    const known = (flags & 8) === 0 && given !== 0xffffffff;
    const end = known ? Math.min(bytes.length, start + given) : nextHeader(bytes, start);
    parts.push({
      name: bytes.toString('utf8', at + 30, at + 30 + nameLength),
      start,
      packedSize: end - start,
      size: bytes.readUInt32LE(at + 22),
      method: bytes.readUInt16LE(at + 8),
      encrypted: (flags & 1) !== 0,
      crc: known ? bytes.readUInt32LE(at + 14) : 0,
    });
    at = bytes.indexOf(LOCAL_HEADER_SIGNATURE, end);
  }
  return parts;
}
