import { AT, BRACKET, COLON, DIGIT, HANGUL, type Survey, hasLength } from '../survey.ts';

// What a text must have, so that a recogniser can find anything in it. Each says so of any text in which its recogniser would; most texts
// have none of it, and are not looked through again.

type MayHold = (seen: Survey, text: string) => boolean;

export const numbers: MayHold = ({ kinds }) => (kinds & DIGIT) !== 0;

/** 서울 12-345678-90. */
export const oldLicenses: MayHold = (seen) => hasLength(seen, 6) && hasLength(seen, 2);

/** Korean ones begin with a letter before three or eight digits, and those of other countries have a label. */
export const passports: MayHold = (seen, text) =>
  (seen.kinds & DIGIT) !== 0 && (hasLength(seen, 8) || hasLength(seen, 3) || /여권|passport/i.test(text));

export const emails: MayHold = ({ kinds }) => (kinds & (AT | BRACKET)) !== 0;

/** 12가 3456. */
export const plates: MayHold = (seen) =>
  (seen.kinds & HANGUL) !== 0 && hasLength(seen, 4) && (hasLength(seen, 2) || hasLength(seen, 3));

const DOT_JOINER = 3;

/** Whether four groups of digits follow each other with dots between. */
function hasDottedGroups({ groups: { count, joined } }: Survey): boolean {
  let dots = 0;
  for (let at = 0; at < count; at++) {
    dots = joined[at] === DOT_JOINER ? dots + 1 : 0;
    if (dots === 3) return true;
  }
  return false;
}

/** Whether a mark stands twice, at least and at most so far apart. */
function standsTwice(text: string, mark: string, least: number, most: number): boolean {
  for (let at = text.indexOf(mark); at >= 0;) {
    const next = text.indexOf(mark, at + 1);
    if (next - at >= least && next - at <= most) return true;
    at = next;
  }
  return false;
}

/** Units from one colon of an address to the next but some: four digits at most, and the colon itself. */
const MAX_COLON_DISTANCE = 7;

export const ipAddresses: MayHold = (seen, text) =>
  hasDottedGroups(seen) || ((seen.kinds & COLON) !== 0 && standsTwice(text, ':', 1, MAX_COLON_DISTANCE));

/** 00:1b:44:11:3a:b7, with dashes, or 001b.4411.3ab7. */
export const macs: MayHold = (_, text) =>
  standsTwice(text, ':', 3, 3) || standsTwice(text, '-', 3, 3) || standsTwice(text, '.', 5, 5);

/** Two letters before at least two digits. */
export const ibans: MayHold = ({ groups: { count, starts, ends } }, text) => {
  for (let at = 0; at < count; at++) {
    const start = starts[at] ?? 0;
    if ((ends[at] ?? 0) - start >= 2 && isLetter(text.charCodeAt(start - 1)) && isLetter(text.charCodeAt(start - 2)))
      return true;
  }
  return false;
};
const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;

/** The shortest: a prefix of three and eleven characters. */
const MIN_WALLET = 14;
export const wallets: MayHold = ({ longestCode }) => longestCode >= MIN_WALLET;
