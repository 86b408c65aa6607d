import { type LookedThrough, WordList, lookThrough } from './word-list.ts';

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

// All lists are asked about the same value, one after the other: what is beside it is cut out and looked through once.
let windowText = '';
let beforeStart = -1;
let before = lookThrough('');
let behindEnd = -1;
let behind = before;

function useText(text: string): void {
  if (text === windowText) return;
  windowText = text;
  beforeStart = behindEnd = -1;
}

/** Forgets the text that was looked at last, so that nothing of it stays in memory. */
export const forgetText = (): void => useText('');

/** The text before a value; field names such as `bankAccount` become two words. */
function windowBefore(text: string, start: number): LookedThrough {
  useText(text);
  if (beforeStart === start) return before;
  beforeStart = start;
  const cut = text.slice(Math.max(0, start - BEFORE), start);
  const seen = lookThrough(cut);
  return (before = seen.hasJoinedNames ? lookThrough(cut.replace(/([a-z])(?=[A-Z])/g, '$1 ')) : seen);
}

/** The text after a value, up to the end of its field or sentence. */
function windowBehind(text: string, end: number): LookedThrough {
  useText(text);
  if (behindEnd === end) return behind;
  behindEnd = end;
  const whole = text.slice(end, end + BEHIND);
  const stop = whole.search(/[\n\t,;|/]|\. /);
  return (behind = lookThrough(stop < 0 ? whole : whole.slice(0, stop)));
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
  const words = new WordList(list);
  /** What is behind the last word before a value; null where there is none. */
  const behindLast = (text: string, start: number): string | null => {
    const window = windowBefore(text, start);
    if (!words.mayStandIn(window)) return null;
    const last = words.lastEndIn(window, sameLine ? window.text.lastIndexOf('\n') + 1 : 0);
    return last === null ? null : window.text.slice(last);
  };
  return {
    distanceTo(text, start, end) {
      const between = behindLast(text, start);
      if (between !== null && !belongsToOtherNumber(between)) return between.length;
      const window = windowBehind(text, end);
      const at = words.mayStandIn(window) ? words.firstStartIn(window) : null;
      return at === null ? null : BEFORE + at;
    },
    isLabelled(text, start) {
      const between = behindLast(text, start);
      return between !== null && between.length <= MAX_DISTANCE && BETWEEN.test(between);
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
