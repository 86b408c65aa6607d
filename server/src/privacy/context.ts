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

/** The text before a value; field names such as `bankAccount` become two words. */
function windowBefore(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - BEFORE), start);
  return before.replace(/([a-z])(?=[A-Z])/g, '$1 ');
}

/** The text after a value, up to the end of its field or sentence. */
function windowBehind(text: string, end: number): string {
  const behind = text.slice(end, end + BEHIND);
  const stop = behind.search(/[\n\t,;|/]|\. /);
  return stop < 0 ? behind : behind.slice(0, stop);
}

const OTHER_NUMBER = /[0-9](?:[ .-]{0,2}[0-9]){5,}/g;
const CONJUNCTION = /또는|혹은|그리고|이나|및|와|과|랑|and|or/gi;

/** Whether a word describes another number, which stands between it and the value and is followed by other words. */
function belongsToOtherNumber(between: string): boolean {
  let rest: string | null = null;
  for (const { index, 0: number } of between.matchAll(OTHER_NUMBER)) rest = between.slice(index + number.length);
  return rest !== null && /[a-z가-힣]{2}/i.test(rest.replace(CONJUNCTION, ''));
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
  const searchedBefore = (text: string, start: number) => {
    const window = windowBefore(text, start);
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
      const before = searchedBefore(text, start);
      const last = lastIn(before);
      if (last !== null && !belongsToOtherNumber(before.slice(last))) return before.length - last;
      const at = windowBehind(text, end).search(pattern);
      return at < 0 ? null : BEFORE + at;
    },
    isLabelled(text, start) {
      const before = searchedBefore(text, start);
      const last = lastIn(before);
      if (last === null || before.length - last > MAX_DISTANCE) return false;
      return BETWEEN.test(before.slice(last));
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
