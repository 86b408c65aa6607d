import { u16At, u32At } from '../hwp/bytes.ts';

/** Codes of the properties that are read. Source: MS-DOC 2.6. */
export const sprms = {
  deleted: 0x0800,
  bold: 0x0835,
  italic: 0x0836,
  strike: 0x0837,
  hidden: 0x083c,
  doubleStrike: 0x2a53,
  script: 0x2a48,
  symbol: 0x6a09,
  picture: 0x6a03,
  characterStyle: 0x4a30,
  font: 0x4a4f,
  size: 0x4a43,
  style: 0x4600,
  outline: 0x2640,
  listLevel: 0x260a,
  list: 0x460b,
  pageBreakBefore: 0x2407,
  inTable: 0x2416,
  endsRow: 0x2417,
  depth: 0x6649,
  endsInnerCell: 0x244b,
  endsInnerRow: 0x244c,
  table: 0xd608,
  headsTable: 0x3404,
  longProperties: 0x6646,
  olderLongProperties: 0x6645,
  sectionKind: 0x3009,
  pageWidth: 0xb01f,
  pageHeight: 0xb020,
} as const;

/** Bytes of an operand, by the last three bits of its code; 0 where it says them itself. */
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3] as const;
const TABS_CODE = 0xc615;

/** Operands by code, the last of each. */
export type Properties = ReadonlyMap<number, Uint8Array>;

/** Reads a list of properties; what is cut off is left out. */
export function readProperties(list: Uint8Array, into = new Map<number, Uint8Array>()): Map<number, Uint8Array> {
  for (let at = 0; at + 2 < list.length;) {
    const code = u16At(list, at);
    at += 2;
    let length: number = operandBytes[(code >> 13) as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7];
    if (length === 0) {
      // Definitions of tables may be longer than a byte says; tabs of which a byte can't say the length end the list.
      if (code === sprms.table) length = u16At(list, at++) - 1;
      else length = code === TABS_CODE && list[at] === 255 ? list.length : (list[at] ?? 0);
      at++;
    }
    if (length < 0 || at + length > list.length) break;
    into.set(code, list.subarray(at, at + length));
    at += length;
  }
  return into;
}

export const numberOf = (properties: Properties, code: number): number | undefined => {
  const operand = properties.get(code);
  if (operand === undefined) return undefined;
  return operand.length >= 4 ? u32At(operand, 0) : operand.length >= 2 ? u16At(operand, 0) : operand[0];
};

export const isOn = (properties: Properties, code: number): boolean => (numberOf(properties, code) ?? 0) !== 0;
