/** Ids of number formats that every workbook has. Source: ECMA-376 part 1, 18.8.30. */
const builtIn: Readonly<Record<number, string>> = {
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  30: 'm/d/yy',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
};
/** Dates of Korean, Japanese and Chinese workbooks. */
const isAsianDate = (id: number) => (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** The kind of value that a number format shows. */
export type NumberKind =
  | { readonly kind: 'number' }
  | { readonly kind: 'percent'; readonly digits: number }
  /** Hours and minutes that may be more than a day. */
  | { readonly kind: 'elapsed'; readonly seconds: boolean }
  | { readonly kind: 'date'; readonly date: boolean; readonly time: boolean; readonly seconds: boolean };

const plainNumber: NumberKind = { kind: 'number' };

/** Excel itself takes 255 letters. */
const MAX_FORMAT_LENGTH = 1_000;

/** A number as its format shows it: dates and percentages; all else is shown as it is. */
export function kindOf(id: number, custom: ReadonlyMap<number, string>): NumberKind {
  const given = custom.get(id) ?? builtIn[id];
  if (given === undefined)
    return isAsianDate(id) ? { kind: 'date', date: true, time: false, seconds: false } : plainNumber;
  const code = (given.slice(0, MAX_FORMAT_LENGTH).split(';')[0] ?? '')
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .toLowerCase();
  if (code.includes('%')) return { kind: 'percent', digits: /\.(0+)/.exec(code)?.[1]?.length ?? 0 };
  if (/\[[hms]+\]/.test(code)) return { kind: 'elapsed', seconds: code.includes('s') };
  const time = /h|s|am\/pm/.test(code);
  // Beside hours or seconds the letter stands for minutes.
  const date = /[yd]|mmm/.test(code) || (code.includes('m') && !time);
  if (!date && !time) return plainNumber;
  return { kind: 'date', date, time, seconds: code.includes('s') };
}

const DAY_MS = 86_400_000;
const twoDigits = (number: number) => String(number).padStart(2, '0');

/** Days since the end of 1899, or of 1903, as a date that people write. Source: ECMA-376 part 1, 18.17.4. */
function dateText(
  days: number,
  { date, time, seconds }: Extract<NumberKind, { kind: 'date' }>,
  from1904: boolean,
): string {
  // 1900 had no 29 February, though its days are counted so.
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const moment = new Date(start + Math.round(days * DAY_MS));
  if (Number.isNaN(moment.getTime()) || days < 0 || days >= 2_958_466) return String(days);
  const clock = `${twoDigits(moment.getUTCHours())}:${twoDigits(moment.getUTCMinutes())}${seconds ? `:${twoDigits(moment.getUTCSeconds())}` : ''}`;
  const day = `${String(moment.getUTCFullYear()).padStart(4, '0')}-${twoDigits(moment.getUTCMonth() + 1)}-${twoDigits(moment.getUTCDate())}`;
  if (!date) return clock;
  return time ? `${day} ${clock}` : day;
}

function elapsedText(days: number, seconds: boolean): string {
  const all = Math.round(days * 86_400);
  const clock = `${Math.trunc(all / 3600)}:${twoDigits(Math.abs(Math.trunc((all % 3600) / 60)))}`;
  return seconds ? `${clock}:${twoDigits(Math.abs(all % 60))}` : clock;
}

/** A number without the noise that binary fractions leave. */
const clean = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(15)));

/** A number as its cell shows it. */
export function numberText(text: string, kind: NumberKind, from1904: boolean): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text;
  if (kind.kind === 'percent') return `${clean(Number((value * 100).toFixed(Math.max(kind.digits, 0))))}%`;
  if (kind.kind === 'elapsed') return elapsedText(value, kind.seconds);
  return kind.kind === 'date' ? dateText(value, kind, from1904) : clean(value);
}
