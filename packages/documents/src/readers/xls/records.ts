import { u16At } from '../hwp/bytes.ts';

/** What the records of a workbook say that its cells do not. */
export interface Records {
  readonly charts: number;
  /** Text boxes and other shapes with words. */
  readonly texts: number;
  /** The sheet that is open, from 0. */
  readonly open: number;
}

/** Types of records: BOF, Note, TxO, Window1. Source: MS-XLS 2.3.1. */
const BEGIN_RECORD = 0x0809;
const COMMENT_RECORD = 0x001c;
const TEXT_RECORD = 0x01b6;
const WINDOW_RECORD = 0x003d;
/** `dt` of a BOF that begins a chart. */
const CHART_SUBSTREAM = 0x0020;

/** Looks through the records of a workbook. Comments have a record of a text as well. */
export function lookThrough(records: Uint8Array): Records {
  let [charts, texts, open] = [0, 0, 0];
  for (let at = 0; at + 4 <= records.length;) {
    const [type, size] = [u16At(records, at), u16At(records, at + 2)];
    const field = (offset: number) => u16At(records, at + 4 + offset);
    if (type === BEGIN_RECORD && field(2) === CHART_SUBSTREAM) charts++;
    else if (type === TEXT_RECORD && field(10) > 0) texts++;
    else if (type === COMMENT_RECORD) texts--;
    else if (type === WINDOW_RECORD) open = field(10);
    at += 4 + size;
  }
  return { charts, texts: Math.max(0, texts), open };
}
