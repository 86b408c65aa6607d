import { contextWords, isInEnglish, objectWords } from '../context.ts';
import type { Report } from '../finding.ts';
import { type Groups, beginsAt, endsAt } from '../numbers.ts';
import { koreanPhoneKind } from './phone-shape.ts';

const words = contextWords([
  '전화',
  '연락처',
  '연락',
  '휴대폰',
  '휴대전화',
  '핸드폰',
  '팩스',
  '문자',
  '통화',
  '내선',
  '수신자',
  '발신',
  '폰',
  '☎',
  '📞',
  '📱',
  'phone',
  'mobile',
  'cell',
  'tel',
  'fax',
  'call',
  'text me',
  'sms',
  'contact',
  'whatsapp',
  'hp',
]);

/** A run of joined groups. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly lengths: readonly number[];
  /** Whether only a space joins some of its groups. */
  readonly hasSpace: boolean;
}

const MAX_GROUPS = 6;
const MAX_DIGITS = 15;
const NOT_JOINED = 255;
const SPACE = 2;

/** The last group of the longest run that begins with the group `first`. */
function lastOfRun({ count, starts, ends, joined }: Groups, first: number): number {
  let digits = 0;
  let last = first - 1;
  for (let at = first; at < Math.min(count, first + MAX_GROUPS); at++) {
    if (at > first && joined[at - 1] === NOT_JOINED) break;
    digits += (ends[at] ?? 0) - (starts[at] ?? 0);
    if (digits > MAX_DIGITS) break;
    last = at;
  }
  return last;
}

/** The run from one group to another. */
function readRun(text: string, { starts, ends, joined }: Groups, first: number, last: number): Run {
  const lengths: number[] = [];
  let digits = '';
  let hasSpace = false;
  for (let at = first; at <= last; at++) {
    const [from, end] = [starts[at] ?? 0, ends[at] ?? 0];
    digits += text.slice(from, end);
    lengths.push(end - from);
    hasSpace ||= at > first && joined[at - 1] === SPACE;
  }
  return { start: starts[first] ?? 0, end: ends[last] ?? 0, digits, lengths, hasSpace };
}

/** Lengths of the groups of a land-line: area, exchange, line. */
const landGroups = /^(?:[23]-)?[34]-4$|^[23]-[78]$|^(?:9|10|11)$/;
/** Groups of all other numbers, whose prefix leaves no doubt: any three or fewer. */
const isTidy = (lengths: readonly number[]) => lengths.length <= 3 && (lengths.at(-1) ?? 0) >= 4;

const SINGLE_GROUP = 1;

/** Score of a Korean number with its leading zero; 0 where it is none. */
function scoreKorean(text: string, { start, end, digits, lengths, hasSpace }: Run): number {
  const kind = koreanPhoneKind(digits);
  if (kind === null || !isTidy(lengths)) return 0;
  const hasContext = words.distanceTo(text, start, end) !== null;
  const isNearObject = !hasContext && objectWords.distanceTo(text, start, end) !== null;
  const isBare = lengths.length === SINGLE_GROUP;
  if (kind === 'mobile') return hasContext ? 1 : isNearObject ? (isBare ? 0.45 : 0.6) : isBare ? 0.85 : 0.92;
  if (kind === 'land' && !landGroups.test(lengths.join('-'))) return 0;
  if (hasContext) return 0.95;
  if (isNearObject) return 0.4;
  if (isBare) return kind === 'land' ? 0.45 : 0.6;
  return hasSpace ? 0.6 : 0.8;
}

/** Score of a North American number of ten digits. */
function scoreAmerican(text: string, { start, end, digits, lengths, hasSpace }: Run, isBracketedArea: boolean): number {
  if (!/^1?[2-9][0-9]{2}[2-9][0-9]{6}$/.test(digits) || !/^(?:1-)?3-3-4$/.test(lengths.join('-'))) return 0;
  if (words.distanceTo(text, start, end) !== null) return 0.85;
  if (objectWords.distanceTo(text, start, end) !== null) return 0.3;
  if (isBracketedArea) return 0.7;
  return hasSpace || !isInEnglish(text, start, end) ? 0.4 : 0.6;
}

/** Countries that have numbers, by the first digits. Source: ITU-T E.164. */
const countryCode =
  /^(?:1|7|2[07]|2[1-69][0-9]|3[0-469]|3[578][0-9]|4[013-9]|42[0-9]|5[1-8]|5[09][0-9]|6[0-6]|6[7-9][0-9]|8[1246]|8[058][0-9]|9[0-58]|9[679][0-9])/;

/** Score of a number after a plus sign. */
function scoreInternational(run: Run): number {
  const { digits, lengths } = run;
  if (digits.startsWith('82')) {
    const kind = koreanPhoneKind(`0${digits.slice(2).replace(/^0/, '')}`);
    return kind !== null && (lengths.at(-1) ?? 0) >= 4 ? 0.95 : 0;
  }
  if (digits.length < 9 || !countryCode.test(digits)) return 0;
  if (digits.startsWith('1') && digits.length !== 11) return 0;
  return (lengths.at(-1) ?? 0) >= 2 ? 0.8 : 0;
}

/** Score of a Korean number with the country code but without a plus: 82-10-1234-5678. */
const scoreWithoutPlus = (run: Run): number =>
  /^8210[0-9]{8}$/.test(run.digits) ? (run.lengths.length >= 2 ? 0.85 : 0.6) : 0;

const label = /(?:tel|hp|h\.p|fax|mobile|phone|cell|[tmfh])[.:]?$/i;
/** Whether a number may begin here: letters directly before it are the end of a code, unless they are a label. */
const mayBegin = (text: string, start: number) =>
  beginsAt(text, start) || label.test(text.slice(Math.max(0, start - 7), start));

/** Whether the first group of a number stands in brackets. */
const isBracketed = (text: string, { start, lengths }: Run) =>
  text[start - 1] === '(' && text[start + (lengths[0] ?? 0)] === ')';

/** Length of what belongs to a number before its first digits: the bracket of its area code, and the country code before that. */
function prefixLength(text: string, run: Run): number {
  // (02)123-4567): the first bracket encloses the whole number.
  if (!isBracketed(text, run) || run.lengths.length === 1) return 0;
  if (text[run.end] === ')' && text[run.start - 2] !== '(') return 0;
  const prefix = /(?<![0-9A-Za-z])(?:\+[0-9]{1,3}[ -]?)?\($/.exec(text.slice(Math.max(0, run.start - 7), run.start));
  return prefix ? prefix[0].length : 0;
}

/** Whether a group may begin a number without zero or plus: 415, 1-415, 82. Rules out most groups. */
function mayBeForeign(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length === 3) return true;
  return length === 1 ? text[start] === '1' : text.startsWith('82', start);
}

/** Finds phone numbers: mobile, land-line, 070, 050x, with or without country code, and foreign ones. 15xx and the like belong to no person. */
export function findPhones(text: string, groups: Groups, report: Report): void {
  let coveredTo = 0;
  for (let first = 0; first < groups.count; first++) {
    const start = groups.starts[first] ?? 0;
    if (start < coveredTo) continue;
    const digit = text.charCodeAt(start) - 48;
    const hasPlus = text[start - 1] === '+' && !/[0-9A-Za-z]/.test(text[start - 2] ?? '');
    if (!hasPlus && digit !== 0 && !mayBeForeign(text, start, groups.ends[first] ?? 0)) continue;
    if (!mayBegin(text, start)) continue;
    // The longest run first.
    for (let last = lastOfRun(groups, first); last >= first; last--) {
      if (!endsAt(text, groups.ends[last] ?? 0)) continue;
      const run = readRun(text, groups, first, last);
      const score = hasPlus
        ? scoreInternational(run)
        : digit === 0
          ? scoreKorean(text, run)
          : scoreWithoutPlus(run) || scoreAmerican(text, run, isBracketed(text, run));
      if (score === 0) continue;
      report('PHONE', hasPlus ? start - 1 : start - prefixLength(text, run), run.end, score);
      // Its last groups are not a number of their own.
      if (score >= 0.5) coveredTo = run.end;
      break;
    }
  }
}
