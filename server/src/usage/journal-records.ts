import { addCall, emptySlice, toMs, type Slice, type SliceKey } from './slices.ts';
import type { UsageRow } from './usage-row.ts';

// A journal is a row of numbers of 64 bits, as the machine has them. The record of a call begins with the number of its slice. One
// that begins with a negative number is as many numbers long, and holds a text: what the calls of the next slice have in common.

const KEY_FIELDS = [
  'tenantId',
  'keyId',
  'userId',
  'endpoint',
  'model',
  'engine',
  'status',
  'outcome',
  'stream',
] as const satisfies readonly (keyof SliceKey)[];

/** Numbers of the record of a call. */
const CALL_LENGTH = 12;
/** The last of them, by which it is known to be whole. */
const END = 1;
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** The record that begins a slice. */
export function encodeKey({ key }: Slice): Uint8Array {
  const text = Buffer.from(JSON.stringify(KEY_FIELDS.map((field) => key[field])));
  const length = 1 + Math.ceil(text.length / NUMBER_BYTES);
  const record = Buffer.alloc(length * NUMBER_BYTES, ' ');
  record.set(new Uint8Array(Float64Array.of(-length).buffer));
  record.set(text, NUMBER_BYTES);
  return record;
}

/** Makes records of calls, in the same bytes each time: thousands a second are written. */
export function createCallEncoder(): (slice: Slice, row: UsageRow) => Uint8Array {
  const numbers = new Float64Array(CALL_LENGTH);
  const bytes = new Uint8Array(numbers.buffer);
  numbers[CALL_LENGTH - 1] = END;
  return ({ number }, row) => {
    numbers[0] = number;
    numbers[1] = toMs(row.at);
    numbers[2] = row.promptTokens;
    numbers[3] = row.completionTokens;
    numbers[4] = row.reasoningTokens ?? NaN;
    numbers[5] = row.firstTokenMs ?? NaN;
    numbers[6] = row.latencyMs;
    numbers[7] = row.pages ?? 0;
    numbers[8] = row.characters ?? 0;
    numbers[9] = row.audioInMs ?? 0;
    numbers[10] = row.audioOutMs ?? 0;
    return bytes;
  };
}

const unlessNaN = (value: number) => (Number.isNaN(value) ? null : value);

/** Whether the record is of a call, and whole. */
function addRecord(slices: readonly Slice[], record: Float64Array): boolean {
  const [number = 0, at = 0, promptTokens = 0, completionTokens = 0, reasoning = 0, first = 0, ...more] = record;
  const [latencyMs = 0, pages = 0, characters = 0, audioInMs = 0, audioOutMs = 0, end] = more;
  const slice = slices[number];
  if (!slice || end !== END) return false;
  const tokens = { promptTokens, completionTokens, reasoningTokens: unlessNaN(reasoning) };
  const amounts = { pages, characters, audioInMs, audioOutMs };
  addCall(slice, { at, ...tokens, firstTokenMs: unlessNaN(first), latencyMs, ...amounts });
  return true;
}

/** Null where the record is none, or not whole. */
function decodeKey(record: Float64Array): SliceKey | null {
  const text = Buffer.from(record.buffer, record.byteOffset + NUMBER_BYTES, record.byteLength - NUMBER_BYTES);
  try {
    const values = JSON.parse(text.toString()) as unknown[];
    return Object.fromEntries(KEY_FIELDS.map((field, i) => [field, values[i]])) as unknown as SliceKey;
  } catch {
    return null;
  }
}

/**
 * The slices of a journal, as they were in memory. It ends at a record that is cut off: nobody was told that its call is over. After a
 * power cut zeros may stand in place of records.
 */
export function decodeJournal(bytes: Uint8Array): Slice[] {
  const numbers = new Float64Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / NUMBER_BYTES));
  const slices: Slice[] = [];
  for (let at = 0; at < numbers.length;) {
    const head = numbers[at] ?? 0;
    const end = at + (head < 0 ? -head : CALL_LENGTH);
    if (!Number.isInteger(end) || end > numbers.length) break;
    const record = numbers.subarray(at, end);
    if (head < 0) {
      const key = decodeKey(record);
      if (key === null) break;
      slices.push(emptySlice(key, slices.length));
    } else if (!addRecord(slices, record)) break;
    at = end;
  }
  return slices.filter(({ calls }) => calls > 0);
}
