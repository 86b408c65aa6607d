import { type PiiType, defaultPiiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { type BytePlaces, bytePlaces } from './byte-places/index.ts';
import type { FindPolicy } from './find.ts';

// Most types are numbers, and whether a number is a value is told by some dozens of characters around it. So a long text need not be
// looked through for them, nor decoded, but where enough digits stand together. What is said here of recognisers is held to by a test
// that compares what they find in the windows with what they find in whole texts.

/** Types of numbers, and passports, whose numbers have letters. Those of other types may stand where no digit is. */
const numberTypes: ReadonlySet<PiiType> = new Set<PiiType>([
  ...defaultPiiTypes,
  'PHONE',
  'BUSINESS_NUMBER',
  'CORPORATE_NUMBER',
  'HEALTH_INSURANCE',
  'SSN',
  'IMEI',
]);

/** Whether all that a policy looks for is found within {@link findWindows}. */
export const isFoundInWindows = ({ types = defaultPiiTypes, denyList = [] }: FindPolicy): boolean =>
  denyList.length === 0 && types.every((type) => numberTypes.has(type));

/** A part of the bytes of a JSON string. */
export interface ByteWindow {
  readonly start: number;
  readonly end: number;
}

/** The fewest digits of a value: those of a passport such as M123A4567. */
export const MIN_DIGITS = 7;
/** The fewest letters and digits of a value from its first digit on: those of a passport of another country. */
export const MIN_RUN = 6;
/** The most characters between the digits of a value. */
export const MAX_GAP = 5;
/** Bytes before and behind digits that may say what they are: 48 and 20 characters of three bytes each, and some more. */
const BEFORE = 200;
const BEHIND = 120;
const [DIGIT, ESCAPE, PERCENT, PAIR, TRIPLE, OTHER, PLAIN_TRIPLE] = [1, 2, 3, 4, 5, 6, 7];
const [BACKSLASH, SPACE] = [0x5c, 0x20];

/** What a byte of a text may begin; 0 for nothing that matters. */
const beginnings = new Uint8Array(256);
for (let byte = 0x30; byte <= 0x39; byte++) beginnings[byte] = DIGIT;
beginnings[BACKSLASH] = ESCAPE;
beginnings[0x25] = PERCENT;
// Characters that normalising changes: see survey.ts.
for (const lead of [0xc2, 0xcd, 0xd8, 0xd9, 0xdb]) beginnings[lead] = PAIR;
for (const lead of [0xe1, 0xe2, 0xe3, 0xef]) beginnings[lead] = TRIPLE;
beginnings[0xf0] = OTHER;
// Korean, Japanese and Chinese: passed over as a whole, as they are most of a text.
for (let lead = 0xe4; lead <= 0xed; lead++) beginnings[lead] = PLAIN_TRIPLE;

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

const MIDDLE_DOT = 0xb7;
/** Signs of two bytes, but for the space that does not break and the soft hyphen. All others of two bytes are as rare as what is changed. */
const isPlainPair = (first: number, second: number) => first === 0xc2 && second !== 0xa0 && second !== 0xad;

/** Of three bytes, what is frequent and stays as it is: quotes, the ellipsis, arrows and signs; those of Korean, Japanese and Chinese. */
function isPlainTriple(first: number, second: number, third: number): boolean {
  if (first === 0xe2) {
    if (second === 0x80) return (third >= 0x98 && third <= 0xa3) || third === 0xa6;
    return second >= 0x84 && second !== 0x88;
  }
  if (first !== 0xe3) return false;
  if (second === 0x80) return third !== 0x80;
  if (second === 0x83) return third !== 0xbc;
  return second !== 0x85 || (third !== 0xa1 && third !== 0xa4);
}
/** Of four bytes, all but mathematical digits. */
const isPlainOther = (second: number) => second !== 0x9d;

/** Escapes of one character that is no digit, and of which nothing is made when the text is normalised: " / n r t. */
const isPlainEscape = (byte: number | undefined) =>
  byte === 0x6e || byte === 0x22 || byte === 0x74 || byte === 0x72 || byte === 0x2f;

const isLetter = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

/**
 * Reads digits and what may belong to the same number from a digit on: nothing else joins digits but some ASCII and the middle dot. Returns
 * the place behind the last digit; negative where no value can be among them.
 */
function readCluster(bytes: Buffer, from: number, end: number): number {
  let last = from;
  let gap = 0;
  let digits = 0;
  let run = 0;
  let longest = 0;
  for (let at = from; at < end;) {
    const byte = bytes[at] as number;
    if (isDigit(byte)) {
      digits++;
      if (++run > longest) longest = run;
      last = ++at;
      gap = 0;
      continue;
    }
    // Most digits are followed by a syllable.
    if (byte > 0x7f && (byte !== 0xc2 || bytes[at + 1] !== MIDDLE_DOT)) break;
    if (++gap > MAX_GAP) break;
    if (run === 0 || !isLetter(byte)) run = 0;
    else if (++run > longest) longest = run;
    at += byte === BACKSLASH || byte > 0x7f ? 2 : 1;
  }
  return digits >= MIN_DIGITS || longest >= MIN_RUN ? last : -last;
}

/** A place behind a space, at or before `at`; `from` where there is none behind that. */
function cutBefore(bytes: Buffer, at: number, from: number): number {
  for (let i = at; i > from; i--) if (bytes[i - 1] === SPACE) return i;
  return from;
}

/** A place before a space, at or behind `at`; the text's end where there is none. */
function cutBehind(bytes: Buffer, at: number, end: number): number {
  for (let i = at; i < end; i++) if (bytes[i] === SPACE) return i;
  return end;
}

/** Windows of a text, each byte of which is looked at a few times at most. */
class Windows {
  readonly found: { readonly start: number; end: number }[] = [];
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** Adds a window around a part of the text. Parts ascend. */
  add(from: number, to: number): void {
    const last = this.found.at(-1);
    const behind = Math.min(this.#end, to + BEHIND);
    if (last && behind <= last.end) return;
    const covered = last?.end ?? this.#start;
    const before = Math.max(covered, from - BEFORE);
    const cut = cutBefore(this.#bytes, before, covered);
    const end = cutBehind(this.#bytes, behind, this.#end);
    if (last && cut <= last.end) last.end = end;
    else this.found.push({ start: cut, end });
  }
}

/** What a character is to the search for windows, by its first byte: how many bytes more it has, or that nothing is known by the bytes. */
function bytesBehind(bytes: Buffer, at: number, beginning: number): number | null {
  const second = bytes[at + 1] ?? 0;
  switch (beginning) {
    case ESCAPE:
      return isPlainEscape(second) ? 1 : null;
    case PERCENT:
      return second === 0x34 ? null : 0;
    case PAIR:
      return isPlainPair(bytes[at] as number, second) ? 1 : null;
    case TRIPLE:
      return isPlainTriple(bytes[at] as number, second, bytes[at + 2] ?? 0) ? 2 : null;
    default:
      return isPlainOther(second) ? 3 : null;
  }
}

/** Bytes at the end of a text that a number may go on from: more than {@link MAX_GAP} characters, of three bytes each. */
const TAIL = 24;

/**
 * Whether a value that begins at the end of a text may go on in the next: there is a digit, or a character that is read as another. The
 * text is the inside of a JSON string in UTF-8, of which the search is told the last 40 characters and a line's end.
 */
export function mayGoOn(bytes: Buffer, start: number, end: number): boolean {
  for (let at = Math.max(start, end - TAIL); at < end; at++) {
    const beginning = beginnings[bytes[at] as number] as number;
    if (beginning === 0 || beginning === PLAIN_TRIPLE) continue;
    if (beginning === DIGIT) return true;
    const behind = bytesBehind(bytes, at, beginning);
    if (behind === null) return true;
    at += behind;
  }
  return false;
}

/** The first byte from `from` on that matters. A loop of its own, as nearly all bytes are passed over by it. */
function skipPlain(bytes: Buffer, from: number, end: number): number {
  let at = from;
  for (;;) {
    while (at < end && beginnings[bytes[at] as number] === 0) at++;
    if (at >= end || beginnings[bytes[at] as number] !== PLAIN_TRIPLE) return at;
    at += 3;
  }
}

/** Looks at the bytes of a text that matter, one after the other. None of them stands within a character, or behind a backslash. */
class WindowSearch {
  readonly windows: Windows;
  readonly #bytes: Buffer;
  readonly #end: number;
  #digitsTo = 0;

  constructor(bytes: Buffer, start: number, end: number) {
    this.windows = new Windows(bytes, start, end);
    this.#bytes = bytes;
    this.#end = end;
  }

  /** False where nothing is known by the bytes. */
  look(at: number): boolean {
    const beginning = beginnings[this.#bytes[at] as number] as number;
    if (beginning !== DIGIT) return bytesBehind(this.#bytes, at, beginning) !== null;
    if (at < this.#digitsTo) return true;
    const read = readCluster(this.#bytes, at, this.#end);
    this.#digitsTo = Math.abs(read);
    if (read > 0) this.windows.add(at, this.#digitsTo);
    return true;
  }

  /** Looks at a part of the text, one byte after the other. */
  lookAtEach(start: number, end: number): boolean {
    for (let at = skipPlain(this.#bytes, start, end); at < end; at = skipPlain(this.#bytes, at + 1, end))
      if (!this.look(at)) return false;
    return true;
  }

  /** Does the same with vectors. */
  lookInBlocks(scan: BytePlaces, start: number, end: number): boolean {
    const { places, blockBytes } = scan;
    for (let from = start; from < end; from += blockBytes) {
      const count = scan.read(this.#bytes, from, Math.min(end, from + blockBytes));
      for (let index = 0; index < count; index++) if (!this.look(from + (places[index] as number))) return false;
    }
    return true;
  }
}

/** A shorter text is looked through sooner than it is copied. */
const MIN_SCANNED_BYTES = 64;

/**
 * The parts of a text in which its numbers and passports are found, as in the whole text: ascending, without overlaps. Null where it
 * holds characters that are read as others, or such escapes: then the whole must be searched. The text is the inside of a JSON string in
 * UTF-8; `goesOn` where a value may begin in what is searched together with it.
 */
export function findWindows(
  bytes: Buffer,
  start: number,
  end: number,
  goesOn = false,
  scan: BytePlaces | null = bytePlaces(),
): readonly ByteWindow[] | null {
  const search = new WindowSearch(bytes, start, end);
  if (goesOn) search.windows.add(start, start);
  const known =
    scan === null || end - start < MIN_SCANNED_BYTES
      ? search.lookAtEach(start, end)
      : search.lookInBlocks(scan, start, end);
  return known ? search.windows.found : null;
}
