import yauzl from 'yauzl';
import type { Warning } from '../document.ts';
import { ParseError } from '../parse-error.ts';
import { createCounter, type ParseLimits } from '../reader.ts';
import { inflate, type InflatePart } from './inflate.ts';
import type { PackedPart } from './packed-part.ts';
import { localParts } from './zip-recovery.ts';

/** A package of parts, as OOXML and OWPML have it. Parts are inflated one at a time when they are read, and not kept. */
export interface Package {
  /** Names of its parts, with `/` between folders. */
  readonly names: readonly string[];
  /** What was wrong with it so far; grows while parts are read. */
  readonly warnings: readonly Warning[];
  readonly has: (name: string) => boolean;
  /**
   * Bytes of a part; null where there is none. Letters of names may differ in case. Throws ParseError `TOO_LARGE` beyond the
   * limits, `ENCRYPTED` for a part with a password. Of a damaged part it gives what can be had, with a warning.
   */
  readonly read: (name: string) => Promise<Uint8Array | null>;
}

/** Smaller parts may have any compression ratio. */
const SMALL_PART_BYTES = 1024 * 1024;
const METHOD_STORED = 0;
const METHOD_DEFLATED = 8;

/** Names with `/`, none that leaves its folder or begins at a root; null for those. */
function cleanName(name: string): string | null {
  const clean = name.replaceAll('\\', '/').replace(/^\/+/, '');
  if (clean === '' || /^[A-Za-z]:/.test(clean) || clean.includes('\0')) return null;
  return clean.split('/').includes('..') ? null : clean;
}

/** Parts by the central directory; null where there is none that can be read. */
async function directoryParts(bytes: Buffer, limits: ParseLimits): Promise<readonly PackedPart[] | null> {
  const parts: PackedPart[] = [];
  try {
    const zip = await yauzl.fromBufferPromise(bytes, { decodeStrings: false, validateEntrySizes: false });
    for await (const entry of zip.eachEntry()) {
      if (parts.length >= limits.entries) throw tooMany();
      parts.push({
        name: yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false),
        start: entry.relativeOffsetOfLocalHeader,
        packedSize: entry.compressedSize,
        size: entry.uncompressedSize,
        method: entry.compressionMethod,
        encrypted: entry.isEncrypted(),
        crc: entry.crc32,
      });
    }
  } catch (error) {
    if (error instanceof ParseError) throw error;
    return null;
  }
  return parts;
}

const tooMany = (): ParseError => new ParseError('TOO_LARGE', 'The file holds more parts than may be read.');

/** Where the bytes of a part begin, behind its local header; null where there is no such header. */
function dataStart(bytes: Buffer, header: number): number | null {
  if (header < 0 || header + 30 > bytes.length || bytes.readUInt32LE(header) !== 0x04034b50) return null;
  return header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
}

/**
 * Opens a package. Throws ParseError `CORRUPTED` where nothing of it can be found, `TOO_LARGE` for more parts than allowed. One
 * without a directory (cut off, or with bytes before it) is read by the headers before each part, with a warning.
 */
export async function openPackage(
  file: Uint8Array,
  limits: ParseLimits,
  inflatePart: InflatePart = inflate,
): Promise<Package> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const warnings: Warning[] = [];
  const parts = new Map<string, PackedPart>();
  const lower = new Map<string, PackedPart>();
  const add = (part: PackedPart): void => {
    const name = cleanName(part.name);
    if (name === null) {
      warnings.push({ code: 'part_name_unsafe', message: 'A part whose name leads out of the file was left out.' });
    } else if (parts.has(name)) {
      warnings.push({ code: 'part_repeated', message: `The part ${name} is there twice; the first was read.` });
    } else if (!name.endsWith('/')) {
      parts.set(name, part);
      if (!lower.has(name.toLowerCase())) lower.set(name.toLowerCase(), part);
    }
  };

  let found = await directoryParts(bytes, limits);
  const recovered = found === null || found.length === 0;
  if (recovered) {
    found = localParts(bytes, limits.entries);
    if (found === null) throw tooMany();
    if (found.length === 0) throw new ParseError('CORRUPTED', 'The file is damaged: no part of it can be read.');
    warnings.push({ code: 'package_damaged', message: 'The file is damaged; what could be found in it was read.' });
  }
  for (const part of found ?? []) add(part);

  const inflated = createCounter(limits, 'inflatedBytes');
  /** What may still be unpacked. */
  const leftAfter = (bytes: number): number => limits.inflatedBytes - inflated(bytes);
  const tooLarge = (name: string): ParseError =>
    new ParseError('TOO_LARGE', `The file is too large once it is unpacked (at ${name}).`);

  async function unpack(name: string, part: PackedPart): Promise<Uint8Array | null> {
    const broken = (message: string): null => {
      warnings.push({ code: 'part_unreadable', message });
      return null;
    };
    if (part.encrypted) throw new ParseError('ENCRYPTED', 'The file is protected by a password; save it without one.');
    const start = recovered ? part.start : dataStart(bytes, part.start);
    if (start === null || start > bytes.length) return broken(`The part ${name} is not where the file says.`);
    const packed = bytes.subarray(start, Math.min(bytes.length, start + part.packedSize));
    if (part.method === METHOD_STORED) {
      if (leftAfter(packed.length) < 0) throw tooLarge(name);
      return packed;
    }
    if (part.method !== METHOD_DEFLATED) return broken(`The part ${name} is packed in a way that is not known.`);
    const most = Math.min(leftAfter(0), Math.max(SMALL_PART_BYTES, packed.length * limits.ratio));
    const result = await inflatePart(packed, most, part.size, part.crc);
    if (result === null) throw tooLarge(name);
    inflated(result.bytes.length);
    if (result.damaged) {
      warnings.push({ code: 'part_damaged', message: `The part ${name} is damaged; what could be read of it was.` });
    } else if (part.size !== result.bytes.length && !recovered) {
      warnings.push({ code: 'part_size_differs', message: `The part ${name} is not as long as the file says.` });
    }
    return result.bytes;
  }

  const find = (name: string): PackedPart | undefined => {
    const clean = cleanName(name) ?? '';
    return parts.get(clean) ?? lower.get(clean.toLowerCase());
  };
  return {
    names: [...parts.keys()],
    warnings,
    has: (name) => find(name) !== undefined,
    read: async (name) => {
      const part = find(name);
      return part === undefined ? null : await unpack(name, part);
    },
  };
}
