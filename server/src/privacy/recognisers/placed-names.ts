import type { Report } from '../finding.ts';
import { givenNames } from './given-names.ts';
import { longSurnames, notNames, surnames } from './names.ts';

// Common names where nothing but their place says that they are names: cells, items of lists, quoted values, lines of their
// own, beside a number, in a greeting.

const WORD = /(?<![가-힣A-Za-z0-9])[가-힣]{3,4}(?![A-Za-z0-9])/g;

/** Everyday words that are made of a family name and a given name of the list. */
const everyday = new Set('이하나 오하나 하나라 주주연 기수영 방송이 공주희 신나라 정보라 이용준'.split(' '));

/** Whether a word is a family name and a common given name. */
export const isCommonName = (word: string): boolean =>
  !notNames.has(word) &&
  !everyday.has(word) &&
  !(/[은는이가을를의도로]$/.test(word) && notNames.has(word.slice(0, -1))) &&
  ((surnames.has(word.charAt(0)) && givenNames.has(word.slice(1))) ||
    (longSurnames.has(word.slice(0, 2)) && givenNames.has(word.slice(2))));

/** What begins a cell, an item or a value. */
const OPENS = /(?:^|[\n\t|;:/>([{"'=,.–-] ?|[a-z] )$/i;
/** What ends one. */
const CLOSES = /^(?:$|\s?[\n\t|;/<)\]}"',&(]|\s{2})/;
/** Numbers, addresses and banks behind a name. */
const REACHED =
  /^ ?[:(/,]? ?(?:0[0-9]{1,2}[-). ]?|\(0|\+?82|[0-9]{6} ?[-~.]? ?[1-8][0-9]{6}|[0-9]{2,3}[가-힣] ?[0-9]{4}|[a-z0-9._%+-]{1,64}@|(?:신한|국민|우리|하나|기업|농협|카카오|토스|케이|새마을|우체국|수협|신협)[가-힣]{0,4} ?[0-9])/i;
/** A number before a name: a plate, a phone, an account, a room. */
const BEHIND_NUMBER = /(?:[0-9]{4}|-[0-9]{2,3}|[0-9]호|[0-9]\/[0-9]{1,2}) ?\(?$/;
const INTRODUCES = /(?:안녕하세요[,.!]?|[.!?\n]|이름은|이름이) ?$/;
const IS_ONE = /^(?:입니다|이에요|예요|이라고|라고 합|이고요|이구요|이요|인데요)/;
const PARTICLE = /^(?:께서|에게|씨|님|은|는|이|가|을|를|의|와|과|도)(?![가-힣])/;

/** A value of a field with an English name; what it is says the field. */
const OF_FIELD = /([a-z_]{2,30})["']?\s?[:=]\s?["'(]?$/i;
const PEOPLE =
  /(?:^|_)(?:owner|user|author|writer|holder|customer|client|member|patient|manager|employee|contact|sender|receiver|recipient|applicant|assignee|reporter|attn|from|to|cc|by|signed|witness|tenant|landlord)$/i;
const isOfOtherField = (before: string): boolean => {
  const field = OF_FIELD.exec(before)?.[1];
  return field !== undefined && !PEOPLE.test(field);
};

// Places where a word that is made like a name is one.

/** Of chats that were saved: [홍길동] [오후 3:12] …, 오후 3:12, 홍길동 : … */
const SAID =
  /(?<=^\[|\n\[)[가-힣]{3,4}(?=\] \[(?:오전|오후) ?[0-9])|(?<=(?:오전|오후) [0-9]{1,2}:[0-9]{2}, )[가-힣]{3,4}(?= : )/g;
/** Behind a number of a phone, and behind a bank that stands behind an account. */
const OF_NUMBER =
  /(?<=(?:01[016789]|\+82)[-0-9 .)/_]{7,14}\(|[0-9] (?:[가-힣]{2,4}(?:은행|뱅크)|농협|수협|신협|우체국)(?: ?\(| |, )|\((?:[가-힣]{2,4}(?:은행|뱅크)|농협|수협|신협|우체국), )[가-힣]{3,4}(?=\)|$|[\n,.])/g;
/** Behind a word for a person and a colon: 동의자: 홍길동. */
const ROLE =
  /(?<=(?<![가-힣])(?!원인|요인|확인|승인|사인|라인|메인|체인|도메인|디자인|온라인|오프라인)[가-힣]{1,4}[자인원주] ?[:：] ?)[가-힣]{3,4}(?![가-힣])/g;

/** Several behind one word for people: 참석자: 홍길동, 김서준. */
const LIST = /[자인원주단] ?[:：] ?([가-힣]{3,4}(?:, ?[가-힣]{3,4}){1,40})(?![가-힣])/g;

function findLists(text: string, isName: (word: string) => boolean, report: Report): void {
  for (const { index, 0: found, 1: list = '' } of text.matchAll(LIST)) {
    const words = Array.from(list.matchAll(/[가-힣]+/g));
    // One that is none makes the others doubtful.
    if (!words.every(([word]) => isName(word))) continue;
    const from = index + found.length - list.length;
    for (const { index: at, 0: word } of words) report('PERSON', from + at, from + at + word.length, 0.68);
  }
}

function findByPlace(text: string, isName: (word: string) => boolean, report: Report): void {
  for (const pattern of [SAID, OF_NUMBER, ROLE])
    for (const { index, 0: name } of text.matchAll(pattern))
      if (isName(name)) report('PERSON', index, index + name.length, 0.68);
}

/** Reports names by their place. `isName` says whether a word is made like one. */
export function findPlacedNames(text: string, isName: (word: string) => boolean, report: Report): void {
  findByPlace(text, isName, report);
  findLists(text, isName, report);
  for (const { index, 0: run } of text.matchAll(WORD)) {
    const name = [run, run.slice(0, 3)].find(isCommonName);
    if (name === undefined) continue;
    const end = index + name.length;
    const before = text.slice(Math.max(0, index - 36), index);
    if (isOfOtherField(before)) continue;
    const behind = text.slice(end, end + 40);
    const say = (score: number) => report('PERSON', index, end, score);
    if (CLOSES.test(behind) && OPENS.test(before)) say(0.66);
    else if (REACHED.test(behind)) say(0.68);
    else if (BEHIND_NUMBER.test(before) && !/^[가-힣]/.test(behind) && !/[은이가도로]$/.test(name)) say(0.6);
    else if (IS_ONE.test(behind) && (index === 0 || INTRODUCES.test(before))) say(0.7);
    else if (OPENS.test(before) && /[:"'(]\s?$/.test(before) && PARTICLE.test(behind)) say(0.58);
  }
}
