import { contextWords, isInEnglish, thingWords } from '../context.ts';
import type { Report } from '../finding.ts';
import { type Groups, beginsAt, endsAt } from '../numbers.ts';
import { koreanPhone } from './phone-shape.ts';

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

/** A run of groups that are joined. */
interface Chain {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly lengths: readonly number[];
  /** Whether a space is all that joins some of them. */
  readonly loose: boolean;
}

const MAX_GROUPS = 6;
const APART = 255;
const SPACE = 2;

/** The runs that begin with a group, the longest first. */
function chainsFrom(text: string, { count, starts, ends, joined }: Groups, first: number): Chain[] {
  const chains: Chain[] = [];
  const start = starts[first] ?? 0;
  const lengths: number[] = [];
  let digits = '';
  let loose = false;
  for (let at = first; at < Math.min(count, first + MAX_GROUPS); at++) {
    if (at > first) {
      const joins = joined[at - 1] ?? APART;
      if (joins === APART) break;
      loose ||= joins === SPACE;
    }
    const [from, end] = [starts[at] ?? 0, ends[at] ?? 0];
    if (digits.length + end - from > 15) break;
    digits += text.slice(from, end);
    lengths.push(end - from);
    chains.unshift({ start, end, digits, lengths: [...lengths], loose });
  }
  return chains;
}

/** Groups in which land-lines are written: area, exchange, line. */
const landGroups = /^(?:[23]-)?[34]-4$|^[23]-[78]$|^(?:9|10|11)$/;
/** The other ones, whose prefix leaves no doubt: in any three or fewer groups. */
const isTidy = (lengths: readonly number[]) => lengths.length <= 3 && (lengths.at(-1) ?? 0) >= 4;

const PLAIN = 1;

/** Score of a Korean number with its leading zero; 0 where it is none. */
function korean(text: string, { start, end, digits, lengths, loose }: Chain): number {
  const kind = koreanPhone(digits);
  if (kind === null || !isTidy(lengths)) return 0;
  const near = words.near(text, start, end) !== null;
  const thing = !near && thingWords.near(text, start, end) !== null;
  const bare = lengths.length === PLAIN;
  if (kind === 'mobile') return near ? 1 : thing ? (bare ? 0.45 : 0.6) : bare ? 0.85 : 0.92;
  if (kind === 'land' && !landGroups.test(lengths.join('-'))) return 0;
  if (near) return 0.95;
  if (thing) return 0.4;
  if (bare) return kind === 'land' ? 0.45 : 0.6;
  return loose ? 0.6 : 0.8;
}

/** Score of a North American number of ten digits. */
function american(text: string, { start, end, digits, lengths, loose }: Chain, bracketed: boolean): number {
  if (!/^1?[2-9][0-9]{2}[2-9][0-9]{6}$/.test(digits) || !/^(?:1-)?3-3-4$/.test(lengths.join('-'))) return 0;
  if (words.near(text, start, end) !== null) return 0.85;
  if (thingWords.near(text, start, end) !== null) return 0.3;
  if (bracketed) return 0.7;
  return loose || !isInEnglish(text, start, end) ? 0.4 : 0.6;
}

/** Countries that have numbers, by the first digits. Source: ITU-T E.164. */
const country =
  /^(?:1|7|2[07]|2[1-69][0-9]|3[0-469]|3[578][0-9]|4[013-9]|42[0-9]|5[1-8]|5[09][0-9]|6[0-6]|6[7-9][0-9]|8[1246]|8[058][0-9]|9[0-58]|9[679][0-9])/;

/** Score of a number behind a plus sign. */
function international(chain: Chain): number {
  const { digits, lengths } = chain;
  if (digits.startsWith('82')) {
    const kind = koreanPhone(`0${digits.slice(2).replace(/^0/, '')}`);
    return kind !== null && (lengths.at(-1) ?? 0) >= 4 ? 0.95 : 0;
  }
  if (digits.length < 9 || !country.test(digits)) return 0;
  if (digits.startsWith('1') && digits.length !== 11) return 0;
  return (lengths.at(-1) ?? 0) >= 2 ? 0.8 : 0;
}

/** The country's code without a plus: 82-10-1234-5678. */
const withoutPlus = (chain: Chain): number =>
  /^8210[0-9]{8}$/.test(chain.digits) ? (chain.lengths.length >= 2 ? 0.85 : 0.6) : 0;

const label = /(?:tel|hp|h\.p|fax|mobile|phone|cell|[tmfh])[.:]?$/i;
/** Letters directly before a number are the rest of a code, unless they say what it is. */
const begins = (text: string, start: number) =>
  beginsAt(text, start) || label.test(text.slice(Math.max(0, start - 7), start));

/** Where a number begins whose first group stands in brackets. */
const isBracketed = (text: string, { start, lengths }: Chain) =>
  text[start - 1] === '(' && text[start + (lengths[0] ?? 0)] === ')';

/** What belongs to a number before its first digits: the bracket of its area, and the country before that. */
function leadOf(text: string, chain: Chain): number {
  // (02)123-4567): the first bracket is around all of it.
  if (!isBracketed(text, chain) || chain.lengths.length === 1) return 0;
  if (text[chain.end] === ')' && text[chain.start - 2] !== '(') return 0;
  const lead = /(?<![0-9A-Za-z])(?:\+[0-9]{1,3}[ -]?)?\($/.exec(text.slice(Math.max(0, chain.start - 7), chain.start));
  return lead ? lead[0].length : 0;
}

/** Whether a group may begin a number without zero or plus: 415, 1-415, 82. Most groups are put aside here. */
function mayBeForeign(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length === 3) return true;
  return length === 1 ? text[start] === '1' : text.startsWith('82', start);
}

/** Phones: mobile, land-line, 070, 050x, with or without the country, and those of other countries. 15xx and the like are of no person. */
export function findPhones(text: string, groups: Groups, report: Report): void {
  let done = 0;
  for (let first = 0; first < groups.count; first++) {
    const start = groups.starts[first] ?? 0;
    if (start < done) continue;
    const digit = text.charCodeAt(start) - 48;
    const plus = text[start - 1] === '+' && !/[0-9A-Za-z]/.test(text[start - 2] ?? '');
    if (!plus && digit !== 0 && !mayBeForeign(text, start, groups.ends[first] ?? 0)) continue;
    if (!begins(text, start)) continue;
    for (const chain of chainsFrom(text, groups, first)) {
      if (!endsAt(text, chain.end)) continue;
      const score = plus
        ? international(chain)
        : digit === 0
          ? korean(text, chain)
          : withoutPlus(chain) || american(text, chain, isBracketed(text, chain));
      if (score === 0) continue;
      report('PHONE', plus ? start - 1 : start - leadOf(text, chain), chain.end, score);
      // Its last groups are no number of their own.
      if (score >= 0.5) done = chain.end;
      break;
    }
  }
}
