import { ParseError } from '../../parse-error.ts';
import { u16At, u32At, decodeUtf16 } from './bytes.ts';

/** A compound file (MS-CFB): a small file system of storages and streams within one file. */
export interface CompoundFile {
  /** Paths of all streams, such as `BodyText/Section0`. */
  readonly paths: readonly string[];
  /** Null where there is none. What a cut file still holds of it is given. */
  readonly stream: (path: string) => Uint8Array | null;
  /** Chains of sectors that end too early, lead out of the file or in a circle were met so far. */
  readonly damaged: () => boolean;
}

const magic = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
const lastRegularSector = 0xfffffff9;
const noEntry = 0xffffffff;
const ENTRY_BYTES = 128;

interface Entry {
  readonly name: string;
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

interface Sectors {
  readonly size: number;
  /** What `start` leads to, cut to `length`; empty where nothing is. */
  readonly chain: (start: number, length: number) => Uint8Array;
}

export const isCompoundFile = (bytes: Uint8Array): boolean =>
  bytes.length >= 512 && magic.every((byte, index) => bytes[index] === byte);

/** Joins the sectors of a chain; `next` tells the sector that follows. A circle ends after as many steps as there are sectors. */
const createSectors = (
  source: Uint8Array,
  offset: number,
  size: number,
  next: (sector: number) => number,
  onDamage: () => void,
): Sectors => {
  const count = Math.ceil(Math.max(0, source.length - offset) / size);
  const chain = (start: number, length: number): Uint8Array => {
    const wanted = Math.min(length, count * size);
    if (length > wanted && Number.isFinite(length)) onDamage();
    const parts: Uint8Array[] = [];
    let got = 0;
    let sector = start;
    for (let step = 0; got < wanted; step += 1) {
      if (sector > lastRegularSector || sector >= count || step >= count) {
        if (Number.isFinite(length) || step >= count) onDamage();
        break;
      }
      const from = offset + sector * size;
      const part = source.subarray(from, Math.min(from + size, from + wanted - got));
      parts.push(part);
      got += part.length;
      if (part.length === 0) break;
      sector = next(sector);
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  };
  return { size, chain };
};

/** Sectors that the table of sectors itself lies in: 109 in the header, the others in a chain of their own. */
const tableSectors = (bytes: Uint8Array, sectorSize: number): number[] => {
  const found: number[] = [];
  for (let at = 76; at < 512; at += 4) found.push(u32At(bytes, at));
  const count = Math.ceil(bytes.length / sectorSize);
  let sector = u32At(bytes, 68);
  for (let step = 0; sector < count && step < count; step += 1) {
    const from = (sector + 1) * sectorSize;
    for (let at = from; at < from + sectorSize - 4; at += 4) found.push(u32At(bytes, at));
    sector = u32At(bytes, from + sectorSize - 4);
  }
  return found;
};

const readEntry = (directory: Uint8Array, at: number): Entry => ({
  name: decodeUtf16(directory, at, at + Math.max(0, Math.min(64, u16At(directory, at + 64)) - 2)),
  kind: directory[at + 66] ?? 0,
  left: u32At(directory, at + 68),
  right: u32At(directory, at + 72),
  child: u32At(directory, at + 76),
  start: u32At(directory, at + 116),
  size: u32At(directory, at + 120),
});

/** Walks the tree of names; an entry is met once, so that a circle ends. Entries that no storage holds go by their name alone. */
const nameStreams = (entries: readonly Entry[]): Map<string, Entry> => {
  const streams = new Map<string, Entry>();
  const seen = new Set<number>([0]);
  const open: { index: number; parent: string }[] = [{ index: entries[0]?.child ?? noEntry, parent: '' }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const entry = entries[step.index];
    if (entry === undefined || seen.has(step.index)) continue;
    seen.add(step.index);
    const path = step.parent + entry.name;
    if (entry.kind === 2 && !streams.has(path)) streams.set(path, entry);
    open.push({ index: entry.left, parent: step.parent }, { index: entry.right, parent: step.parent });
    // Deep storages have no meaning in any format that is read here.
    if (entry.kind === 1 && path.length < 512) open.push({ index: entry.child, parent: `${path}/` });
  }
  for (const [index, entry] of entries.entries())
    if (!seen.has(index) && entry.kind === 2 && !streams.has(entry.name)) streams.set(entry.name, entry);
  return streams;
};

/** Throws ParseError: `UNSUPPORTED` where it is no compound file, `TOO_LARGE` with more than `limit` entries. */
export const openCompoundFile = (bytes: Uint8Array, limit: number): CompoundFile => {
  if (!isCompoundFile(bytes)) throw new ParseError('UNSUPPORTED', 'The file is not a compound file.');
  let damaged = false;
  const onDamage = (): void => {
    damaged = true;
  };
  const shift = u16At(bytes, 30) === 12 ? 12 : 9;
  const table = tableSectors(bytes, 1 << shift);
  const perSector = 1 << (shift - 2);
  const next = (sector: number): number => {
    const holder = table[Math.floor(sector / perSector)];
    if (holder === undefined) return noEntry;
    const at = ((holder + 1) << shift) + (sector % perSector) * 4;
    if (holder <= lastRegularSector && at + 4 <= bytes.length) return u32At(bytes, at);
    // That part of the table was cut off: most files are written one sector after the other.
    onDamage();
    return sector + 1;
  };
  const sectors = createSectors(bytes, 1 << shift, 1 << shift, next, onDamage);

  const directory = sectors.chain(u32At(bytes, 48), Number.POSITIVE_INFINITY);
  const count = Math.floor(directory.length / ENTRY_BYTES);
  if (count > limit) throw new ParseError('TOO_LARGE', `The file holds more than ${limit} parts.`);
  const entries = Array.from({ length: count }, (_, index) => readEntry(directory, index * ENTRY_BYTES));
  const streams = nameStreams(entries);

  const miniTable = sectors.chain(u32At(bytes, 60), Number.POSITIVE_INFINITY);
  const root = entries[0];
  const mini = createSectors(
    root === undefined ? new Uint8Array() : sectors.chain(root.start, root.size),
    0,
    64,
    (sector) => {
      if (sector * 4 + 4 <= miniTable.length) return u32At(miniTable, sector * 4);
      onDamage();
      return sector + 1;
    },
    onDamage,
  );
  const cutoff = u32At(bytes, 56) || 4096;
  return {
    paths: [...streams.keys()],
    stream: (path) => {
      const entry = streams.get(path) ?? streams.get(path.slice(path.lastIndexOf('/') + 1));
      if (entry === undefined) return null;
      return entry.size === 0
        ? new Uint8Array()
        : (entry.size < cutoff ? mini : sectors).chain(entry.start, entry.size);
    },
    damaged: () => damaged,
  };
};
