import type { Report } from '../finding.ts';
import { givenNames } from './given-names.ts';
import { longSurnames, notNames, surnames } from './names.ts';

// Common names that only their position marks as names: cells, list items, quoted values, lines of their own, beside a number, in
// a greeting.

const WORD = /(?<![가-힣A-Za-z0-9])[가-힣]{3,4}(?![A-Za-z0-9])/g;

/** Everyday words that consist of a family name and a given name of the list. */
const everydayWords = new Set('이하나 오하나 하나라 주주연 기수영 방송이 공주희 신나라 정보라 이용준'.split(' '));

/** Whether a word is a family name and a common given name. */
export const isCommonName = (word: string): boolean =>
  !notNames.has(word) &&
  !everydayWords.has(word) &&
  !(/[은는이가을를의도로]$/.test(word) && notNames.has(word.slice(0, -1))) &&
  ((surnames.has(word.charAt(0)) && givenNames.has(word.slice(1))) ||
    (longSurnames.has(word.slice(0, 2)) && givenNames.has(word.slice(2))));

/** Precedes a cell, an item or a value. */
const BEFORE_VALUE = /(?:^|[\n\t|;:/>([{"'=,.–-] ?|[a-z] )$/i;
/** Follows a cell, an item or a value. */
const AFTER_VALUE = /^(?:$|\s?[\n\t|;/<)\]}"',&(]|\s{2})/;
/** Numbers, mail addresses and banks after a name. */
const BEFORE_CONTACT =
  /^ ?[:(/,]? ?(?:0[0-9]{1,2}[-). ]?|\(0|\+?82|[0-9]{6} ?[-~.]? ?[1-8][0-9]{6}|[0-9]{2,3}[가-힣] ?[0-9]{4}|[a-z0-9._%+-]{1,64}@|(?:신한|국민|우리|하나|기업|농협|카카오|토스|케이|새마을|우체국|수협|신협)[가-힣]{0,4} ?[0-9])/i;
/** A number before a name: a plate, a phone, an account, a room. */
const AFTER_NUMBER = /(?:[0-9]{4}|-[0-9]{2,3}|[0-9]호|[0-9]\/[0-9]{1,2}) ?\(?$/;
const INTRODUCTION = /(?:안녕하세요[,.!]?|[.!?\n]|이름은|이름이) ?$/;
const STATEMENT_END = /^(?:입니다|이에요|예요|이라고|라고 합|이고요|이구요|이요|인데요)/;
const PARTICLE = /^(?:께서|에게|씨|님|은|는|이|가|을|를|의|와|과|도)(?![가-힣])/;

/** An English field name before a value, which says what the value is. */
const FIELD_BEFORE = /([a-z_]{2,30})["']?\s?[:=]\s?["'(]?$/i;
const PEOPLE_FIELD =
  /(?:^|_)(?:owner|user|author|writer|holder|customer|client|member|patient|manager|employee|contact|sender|receiver|recipient|applicant|assignee|reporter|attn|from|to|cc|by|signed|witness|tenant|landlord)$/i;
const belongsToOtherField = (before: string): boolean => {
  const field = FIELD_BEFORE.exec(before)?.[1];
  return field !== undefined && !PEOPLE_FIELD.test(field);
};

// Positions at which a word with the form of a name is a name.

/** In exported chats: [홍길동] [오후 3:12] …, 오후 3:12, 홍길동 : … */
const CHAT_EXPORT =
  /(?<=^\[|\n\[)[가-힣]{3,4}(?=\] \[(?:오전|오후) ?[0-9])|(?<=(?:오전|오후) [0-9]{1,2}:[0-9]{2}, )[가-힣]{3,4}(?= : )/g;
/** After a phone number, and after the bank that follows an account. */
const OF_NUMBER =
  /(?<=(?:01[016789]|\+82)[-0-9 .)/_]{7,14}\(|[0-9] (?:[가-힣]{2,4}(?:은행|뱅크)|농협|수협|신협|우체국)(?: ?\(| |, )|\((?:[가-힣]{2,4}(?:은행|뱅크)|농협|수협|신협|우체국), )[가-힣]{3,4}(?=\)|$|[\n,.])/g;
/** After a word for a person and a colon: 동의자: 홍길동. */
const ROLE =
  /(?<=(?<![가-힣])(?!원인|요인|확인|승인|사인|라인|메인|체인|도메인|디자인|온라인|오프라인)[가-힣]{1,4}[자인원주] ?[:：] ?)[가-힣]{3,4}(?![가-힣])/g;

/** Several names after one word for people: 참석자: 홍길동, 김서준. */
const LIST = /[자인원주단] ?[:：] ?([가-힣]{3,4}(?:, ?[가-힣]{3,4}){1,40})(?![가-힣])/g;

function findLists(text: string, isName: (word: string) => boolean, report: Report): void {
  for (const { index, 0: found, 1: list = '' } of text.matchAll(LIST)) {
    const words = Array.from(list.matchAll(/[가-힣]+/g));
    // One word that is no name makes the others doubtful.
    if (!words.every(([word]) => isName(word))) continue;
    const listStart = index + found.length - list.length;
    for (const { index: at, 0: word } of words) report('PERSON', listStart + at, listStart + at + word.length, 0.68);
  }
}

function findByPlace(text: string, isName: (word: string) => boolean, report: Report): void {
  for (const pattern of [CHAT_EXPORT, OF_NUMBER, ROLE])
    for (const { index, 0: name } of text.matchAll(pattern))
      if (isName(name)) report('PERSON', index, index + name.length, 0.68);
}

/** Reports names by their position. `isName` says whether a word has the form of a name. */
export function findPlacedNames(text: string, isName: (word: string) => boolean, report: Report): void {
  findByPlace(text, isName, report);
  findLists(text, isName, report);
  for (const { index, 0: word } of text.matchAll(WORD)) {
    const name = [word, word.slice(0, 3)].find(isCommonName);
    if (name === undefined) continue;
    const end = index + name.length;
    const before = text.slice(Math.max(0, index - 36), index);
    if (belongsToOtherField(before)) continue;
    const following = text.slice(end, end + 40);
    const reportName = (score: number) => report('PERSON', index, end, score);
    if (AFTER_VALUE.test(following) && BEFORE_VALUE.test(before)) reportName(0.66);
    else if (BEFORE_CONTACT.test(following)) reportName(0.68);
    else if (AFTER_NUMBER.test(before) && !/^[가-힣]/.test(following) && !/[은이가도로]$/.test(name)) reportName(0.6);
    else if (STATEMENT_END.test(following) && (index === 0 || INTRODUCTION.test(before))) reportName(0.7);
    else if (BEFORE_VALUE.test(before) && /[:"'(]\s?$/.test(before) && PARTICLE.test(following)) reportName(0.58);
  }
}
