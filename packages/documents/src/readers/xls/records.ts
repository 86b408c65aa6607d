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
const FORMULA_RECORD = 0x0006;
const COMMENT_RECORD = 0x001c;
const WINDOW_RECORD = 0x003d;
const TEXT_RECORD = 0x01b6;
export const BEGIN_RECORD = 0x0809;
const CONTINUE_RECORD = 0x003c;
/**
 * Those that sheets are read from, of all versions: EOF, BoundSheet, CodePage, Date1904, FilePass, Country; Format, XF, SST; Dimensions, Row, ColInfo,
 * MergeCells; Blank, MulBlank, Number, RK, MulRk, BoolErr, Label, LabelSst, RString, String; HLink, Obj.
 */
const readRecords = new Set([
  0x0809, 0x0006, 0x001c, 0x003d, 0x01b6, 0x000a, 0x0085, 0x0042, 0x0022, 0x002f, 0x008c, 0x041e, 0x001e, 0x00e0,
  0x00fc, 0x0200, 0x0208, 0x007d, 0x00e5, 0x0201, 0x00be, 0x0203, 0x027e, 0x00bd, 0x0205, 0x0204, 0x00fd, 0x00d6,
  0x0207, 0x01b8, 0x005d,
]);
/** Passed over by whoever reads records. */
const NO_RECORD = 0x0fff;
/** Where the formula of a cell has its size, behind the place of the cell and what it comes to. */
const FORMULA_SIZE_AT = 20;
/** `dt` of a BOF that begins a chart. */
const CHART_SUBSTREAM = 0x0020;

interface Found {
  readonly type: number;
  readonly size: number;
  /** Of its content. */
  readonly at: number;
}

function* recordsOf(stream: Uint8Array): Generator<Found> {
  for (let at = 0; at + 4 <= stream.length;) {
    const [type, size] = [u16At(stream, at), u16At(stream, at + 2)];
    yield { type, size, at: at + 4 };
    at += 4 + size;
  }
}

/** Looks through the records of a workbook. Comments have a record of a text as well. */
export function lookThrough(stream: Uint8Array): Records {
  let [charts, texts, open] = [0, 0, 0];
  for (const { type, at } of recordsOf(stream)) {
    if (type === BEGIN_RECORD && u16At(stream, at + 2) === CHART_SUBSTREAM) charts++;
    else if (type === TEXT_RECORD && u16At(stream, at + 10) > 0) texts++;
    else if (type === COMMENT_RECORD) texts--;
    else if (type === WINDOW_RECORD) open = u16At(stream, at + 10);
  }
  return { charts, texts: Math.max(0, texts), open };
}

/**
 * The records that cells are read from, without their formulas, what these come to kept: what of a damaged file nobody reads can have no end and
 * take no memory.
 */
export function readRecordsOf(stream: Uint8Array): Uint8Array {
  const bare = Buffer.from(stream);
  /** Whether a record that goes on with the one before is read. */
  let mayGoOn = false;
  for (const { type, size, at } of recordsOf(stream)) {
    const isFormula = type === FORMULA_RECORD;
    const hasSize = size >= FORMULA_SIZE_AT + 2 && at + FORMULA_SIZE_AT + 2 <= bare.length;
    const isRead: boolean = type === CONTINUE_RECORD ? mayGoOn : readRecords.has(type) && (!isFormula || hasSize);
    if (!isRead) bare.writeUInt16LE(NO_RECORD, at - 4);
    else if (isFormula) bare.writeUInt16LE(0, at + FORMULA_SIZE_AT);
    mayGoOn = isRead && !isFormula;
  }
  return bare;
}
