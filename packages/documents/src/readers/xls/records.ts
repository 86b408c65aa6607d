import { u16At } from '../hwp/bytes.ts';

/** What the records of a workbook say that its cells do not. */
export interface Records {
  readonly charts: number;
  /** Text boxes and other shapes with words. */
  readonly texts: number;
  /** The sheet that is open, from 0. */
  readonly open: number;
}

/** Types of records. Source: MS-XLS 2.3.1. */
const BOF = 0x0809;
const NOTE = 0x001c;
const TXO = 0x01b6;
const WINDOW1 = 0x003d;
/** `dt` of a BOF that begins a chart. */
const CHART = 0x0020;

/** Looks through the records of a workbook. Comments have a record of a text as well. */
export function lookThrough(records: Uint8Array): Records {
  let [charts, texts, open] = [0, 0, 0];
  for (let at = 0; at + 4 <= records.length;) {
    const [type, size] = [u16At(records, at), u16At(records, at + 2)];
    const field = (offset: number) => u16At(records, at + 4 + offset);
    if (type === BOF && field(2) === CHART) charts++;
    else if (type === TXO && field(10) > 0) texts++;
    else if (type === NOTE) texts--;
    else if (type === WINDOW1) open = field(10);
    at += 4 + size;
  }
  return { charts, texts: Math.max(0, texts), open };
}
