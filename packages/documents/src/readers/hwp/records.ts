import { ParseError } from '../../parse-error.ts';
import { u32At } from './bytes.ts';

/** Records that one outermost paragraph, with all its tables, may hold. */
const MAX_NESTED_RECORDS = 3_000_000;

/** Kinds of records. Source: Hancom, HWP 5.0 revision 1.3, section 4. */
export const recordTags = {
  documentProperties: 0x10,
  binData: 0x12,
  borderFill: 0x14,
  charShape: 0x15,
  numbering: 0x17,
  bullet: 0x18,
  paraShape: 0x19,
  style: 0x1a,
  distributeDocData: 0x1c,
  paraHeader: 0x42,
  paraText: 0x43,
  paraCharShape: 0x44,
  paraLineSeg: 0x45,
  paraRangeTag: 0x46,
  ctrlHeader: 0x47,
  listHeader: 0x48,
  pageDef: 0x49,
  footnoteShape: 0x4a,
  shapeComponent: 0x4c,
  table: 0x4d,
  ole: 0x54,
  picture: 0x55,
  ctrlData: 0x57,
  equation: 0x58,
  textArt: 0x5a,
  formObject: 0x5b,
  memoList: 0x5d,
  trackChange: 0x60,
} as const;

interface FlatRecord {
  readonly tag: number;
  readonly level: number;
  readonly data: Uint8Array;
  /** Offset of what follows. */
  readonly end: number;
  /** False where the stream ends within it. */
  readonly whole: boolean;
}

/** A record with the records that belong to it. */
export interface TreeRecord {
  readonly tag: number;
  readonly level: number;
  readonly data: Uint8Array;
  readonly children: TreeRecord[];
}

/** Null where the stream is at its end, or holds less than a record's head. */
export const readRecordAt = (bytes: Uint8Array, at: number): FlatRecord | null => {
  if (at + 4 > bytes.length) return null;
  const head = u32At(bytes, at);
  const short = head >>> 20;
  const long = short === 0xfff;
  if (long && at + 8 > bytes.length) return null;
  const size = long ? u32At(bytes, at + 4) : short;
  const from = at + (long ? 8 : 4);
  const end = Math.min(from + size, bytes.length);
  return {
    tag: head & 0x3ff,
    level: (head >>> 10) & 0x3ff,
    data: bytes.subarray(from, end),
    end,
    whole: from + size <= bytes.length,
  };
};

/**
 * The outermost records one after the other, each with all that belongs to it, so that never more than one paragraph of a
 * long section is held. `onDamage` is called once where the stream ends within a record.
 */
export function* recordTrees(bytes: Uint8Array, onDamage: () => void): Generator<TreeRecord, void> {
  let stack: TreeRecord[] = [];
  let at = 0;
  let held = 0;
  for (let record = readRecordAt(bytes, at); record !== null; record = readRecordAt(bytes, at)) {
    at = record.end;
    if (!record.whole) onDamage();
    const node: TreeRecord = { tag: record.tag, level: record.level, data: record.data, children: [] };
    while (stack.length > 0 && stack.at(-1)!.level >= node.level) {
      const done = stack.pop()!;
      if (stack.length === 0) {
        yield done;
        held = 0;
      }
    }
    held += 1;
    if (held > MAX_NESTED_RECORDS)
      throw new ParseError('TOO_LARGE', 'One paragraph of the document holds too many parts.');
    stack.at(-1)?.children.push(node);
    stack.push(node);
  }
  // Less than a head may be left, of zeros, by which an encrypted stream was filled up.
  if (bytes.subarray(at).some((byte) => byte !== 0)) onDamage();
  const last = stack[0];
  stack = [];
  if (last !== undefined) yield last;
}
