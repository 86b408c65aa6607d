import { u16At, u32At } from '../hwp/bytes.ts';

/** Types of the records that are read. Source: MS-PPT 2.13.24, MS-ODRAW 2.2. */
export const types = {
  document: 0x03e8,
  documentAtom: 0x03e9,
  slide: 0x03ee,
  slideAtom: 0x03ef,
  notes: 0x03f0,
  slidePersist: 0x03f3,
  slideShow: 0x03f9,
  drawing: 0x040c,
  placeholder: 0x0bc3,
  outlineReference: 0x0f9e,
  textHeader: 0x0f9f,
  textCharacters: 0x0fa0,
  textStyle: 0x0fa1,
  textBytes: 0x0fa8,
  slideList: 0x0ff0,
  userEdit: 0x0ff5,
  persistDirectory: 0x1772,
  drawingContainer: 0xf002,
  group: 0xf003,
  shape: 0xf004,
  groupBounds: 0xf009,
  shapeAtom: 0xf00a,
  properties: 0xf00b,
  clientTextbox: 0xf00d,
  childAnchor: 0xf00f,
  clientAnchor: 0xf010,
  clientData: 0xf011,
  moreProperties: 0xf122,
} as const;

const HEAD_BYTES = 8;

/** A record: what it is, and its bytes, which in most types are records too. */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly bytes: Uint8Array;
}

/** The record at a place; what is cut off of it is left out. Null where none begins. */
export function recordAt(bytes: Uint8Array, at: number): PptRecord | null {
  if (at < 0 || at + HEAD_BYTES > bytes.length) return null;
  const begin = at + HEAD_BYTES;
  return {
    type: u16At(bytes, at + 2),
    instance: u16At(bytes, at) >> 4,
    bytes: bytes.subarray(begin, begin + u32At(bytes, at + 4)),
  };
}

/** Records one after the other. */
export function* recordsIn(bytes: Uint8Array): Generator<PptRecord> {
  for (let at = 0; ;) {
    const record = recordAt(bytes, at);
    if (record === null) return;
    yield record;
    at += HEAD_BYTES + u32At(bytes, at + 4);
  }
}

/** The first record of a type within another one. */
export function findRecord(parent: PptRecord | null | undefined, type: number, instance?: number): PptRecord | null {
  if (parent == null) return null;
  for (const record of recordsIn(parent.bytes))
    if (record.type === type && (instance === undefined || record.instance === instance)) return record;
  return null;
}
