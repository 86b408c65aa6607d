/** Context words: they say what a value near them is. */
export interface Words {
  /** Distance in UTF-16 units to the nearest word before `start`, else to the first after `end`; null without any. */
  distanceTo(text: string, start: number, end: number): number | null;
  /** Whether a word stands directly before `start`, with only a colon, a particle or the like between. */
  isLabelled(text: string, start: number): boolean;
}

/** How far before and after a value words count. */
const BEFORE = 40;
const BEHIND = 16;
/** Between a label and its value: particles, "번호", marks. */
const BETWEEN =
  /^[\s:=~'"“‘(<[|/,.#-]*(?:번호|넘버|number|num|no|nr|정보|값|value)?[\s:=.~#)]*(?:은|는|이|가|을|를|의|란|로|으로|is|was|as|of)?[\s:=~'"“‘(<[|/,.#-]*$/i;
const MAX_DISTANCE = 16;

const isAscii = (word: string) => /^[\x20-\x7e]+$/.test(word);
const escapeWord = (word: string) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/ /g, '[ _-]?');

/** A part of a text beside a value, and which lists may have a word in it. */
interface Window {
  readonly text: string;
  /** See {@link wordBeginnings}. */
  readonly lists: number;
}

// All lists are asked about the same value, one after the other: what is beside it is cut out and looked through once.
let windowText = '';
let beforeStart = -1;
let before: Window = { text: '', lists: 0 };
let behindEnd = -1;
let behind: Window = { text: '', lists: 0 };

function useText(text: string): void {
  if (text === windowText) return;
  windowText = text;
  beforeStart = behindEnd = -1;
}

/** Forgets the text that was looked at last, so that nothing of it stays in memory. */
export const forgetText = (): void => useText('');

/** The text before a value; field names such as `bankAccount` become two words. */
function windowBefore(text: string, start: number): Window {
  useText(text);
  if (beforeStart === start) return before;
  beforeStart = start;
  const cut = text.slice(Math.max(0, start - BEFORE), start);
  const lists = listsWithin(cut);
  if (!joinedNames) return (before = { text: cut, lists });
  const apart = cut.replace(/([a-z])(?=[A-Z])/g, '$1 ');
  return (before = { text: apart, lists: listsWithin(apart) });
}

/** The text after a value, up to the end of its field or sentence. */
function windowBehind(text: string, end: number): Window {
  useText(text);
  if (behindEnd === end) return behind;
  behindEnd = end;
  const whole = text.slice(end, end + BEHIND);
  const stop = whole.search(/[\n\t,;|/]|\. /);
  const cut = stop < 0 ? whole : whole.slice(0, stop);
  return (behind = { text: cut, lists: listsWithin(cut) });
}

/** Lists of words so far. Those beyond the bits of a number share the last one. */
let listCount = 0;
const MAX_LISTS = 31;
/** Bits of the lists that have a word of one unit, by that unit; and of those with a word that begins with two, by both. */
const singleBeginnings = new Uint32Array(65_536);
const wordBeginnings = new Uint32Array(65_536);
/** A bit for each unit that words begin with: few kB, which stay near the processor where those tables do not. */
const beginsWord = new Uint32Array(65_536 / 32);

const mayBeginWord = (code: number): boolean => ((beginsWord[code >> 5] as number) & (1 << (code & 31))) !== 0;

/** Small and capital letters of ASCII are the same; patterns in any case fold no other letters of the words. */
const foldCase = (code: number) => (code >= 0x41 && code <= 0x5a ? code + 32 : code);
/** Place of a pair of units. Pairs may share one, which costs a search that finds nothing. */
const placeOf = (first: number, second: number) => (Math.imul(first, 0x9e37) + second) & 0xffff;

function addBeginning(word: string, bit: number): void {
  const [first = '', second = '', third = ''] = [word[0], word[1], word[2]];
  const code = foldCase(first.charCodeAt(0));
  beginsWord[code >> 5] = (beginsWord[code >> 5] ?? 0) | (1 << (code & 31));
  if (second === '') {
    singleBeginnings[code] = (singleBeginnings[code] ?? 0) | bit;
    return;
  }
  // See escapeWord.
  for (const next of second === ' ' ? [' ', '_', '-', third] : [second]) {
    const place = placeOf(code, foldCase(next.charCodeAt(0)));
    wordBeginnings[place] = (wordBeginnings[place] ?? 0) | bit;
  }
}

/** Whether the text that {@link listsWithin} looked at last has names such as `bankAccount`. */
let joinedNames = false;

/** The lists of which a word may stand in a text: all others certainly have none. */
function listsWithin(text: string): number {
  let lists = 0;
  let last = 0;
  let lastUnit = 0;
  joinedNames = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const code = foldCase(unit);
    if (code !== unit && lastUnit >= 0x61 && lastUnit <= 0x7a) joinedNames = true;
    if (mayBeginWord(last)) lists |= wordBeginnings[placeOf(last, code)] as number;
    if (mayBeginWord(code)) lists |= singleBeginnings[code] as number;
    last = code;
    lastUnit = unit;
  }
  return lists;
}

const OTHER_NUMBER = /[0-9](?:[ .-]{0,2}[0-9]){5,}/g;
const CONJUNCTION = /또는|혹은|그리고|이나|및|와|과|랑|and|or/gi;

/** Whether a word describes another number, which stands between it and the value and is followed by other words. */
function belongsToOtherNumber(between: string): boolean {
  let end = -1;
  // Not matchAll, which copies the pattern with every call.
  OTHER_NUMBER.lastIndex = 0;
  while (OTHER_NUMBER.test(between)) end = OTHER_NUMBER.lastIndex;
  return end >= 0 && /[a-z가-힣]{2}/i.test(between.slice(end).replace(CONJUNCTION, ''));
}

/**
 * Matches ASCII words as whole words in any case, and others also within words. With `sameLine`, words of earlier lines do not
 * count.
 */
export function contextWords(list: readonly string[], sameLine = false): Words {
  const parts = list
    .toSorted((a, b) => b.length - a.length)
    .map((word) => (isAscii(word) ? `(?<![a-z])${escapeWord(word)}(?![a-z])` : escapeWord(word)));
  const pattern = new RegExp(parts.join('|'), 'gi');
  const bit = 1 << Math.min(listCount++, MAX_LISTS);
  for (const word of list) addBeginning(word, bit);
  /** What is searched before a value; null where none of the words can be in it. */
  const searchedBefore = (text: string, start: number): string | null => {
    const { text: window, lists } = windowBefore(text, start);
    if ((lists & bit) === 0) return null;
    return sameLine ? window.slice(window.lastIndexOf('\n') + 1) : window;
  };
  const lastIn = (window: string): number | null => {
    let last: number | null = null;
    // Not matchAll, which copies the pattern with every call.
    pattern.lastIndex = 0;
    while (pattern.test(window)) last = pattern.lastIndex;
    return last;
  };
  return {
    distanceTo(text, start, end) {
      const searched = searchedBefore(text, start);
      const last = searched === null ? null : lastIn(searched);
      if (searched !== null && last !== null && !belongsToOtherNumber(searched.slice(last)))
        return searched.length - last;
      const { text: window, lists } = windowBehind(text, end);
      const at = (lists & bit) === 0 ? -1 : window.search(pattern);
      return at < 0 ? null : BEFORE + at;
    },
    isLabelled(text, start) {
      const searched = searchedBefore(text, start);
      const last = searched === null ? null : lastIn(searched);
      if (searched === null || last === null || searched.length - last > MAX_DISTANCE) return false;
      return BETWEEN.test(searched.slice(last));
    },
  };
}

/** Words for orders, products, versions and the like: a number near one of them is hardly a personal value. */
export const objectWords = contextWords(
  [
    '주문',
    '송장',
    '운송장',
    '바코드',
    '상품',
    '제품',
    '모델',
    '품번',
    '부품',
    '일련번호',
    '시리얼',
    '접수번호',
    '관리번호',
    '문서번호',
    '등록번호 제',
    '특허',
    '출원',
    '버전',
    '우편번호',
    '타임스탬프',
    '밀리초',
    'epoch',
    '로그',
    '이벤트',
    'order',
    'tracking',
    'barcode',
    'invoice',
    'product',
    'model',
    'serial',
    'sku',
    'part no',
    'ean',
    'isbn',
    'timestamp',
    'version',
    'ticket',
  ],
  true,
);

/** Whether the text holds nothing but the value, as a cell of a table does. */
export const standsAlone = (text: string, start: number, end: number): boolean =>
  end - start + 4 >= text.length && text.slice(0, start).trim() === '' && text.slice(end).trim() === '';

/** Whether a unit after the number makes it an amount. */
export const isAmount = (text: string, end: number): boolean =>
  /^ ?(?:원|달러|엔|점|명|건|만|억|개)/.test(text.slice(end, end + 3));

/** Whether a value stands among English words: the last letter before it decides, else the first letter after it. */
export function isInEnglish(text: string, start: number, end: number): boolean {
  const before = /([A-Za-z])?([가-힣])?[^A-Za-z가-힣]*$/.exec(text.slice(Math.max(0, start - 20), start));
  if (before?.[1] !== undefined || before?.[2] !== undefined) return before[2] === undefined;
  return !/^[^A-Za-z가-힣]*[가-힣]/.test(text.slice(end, end + 20));
}
