import { contextWords } from '../context.ts';
import type { Report } from '../finding.ts';
import type { Groups } from '../numbers.ts';
import { districts, provinces } from './korean-regions.ts';

// An address is found by its number: a road or a lot precedes it, districts precede the road, and details follow the number.
// So a text without numbers costs nothing, and a number no more than the few words around it.

const words = contextWords([
  '주소',
  '거주',
  '소재지',
  '배송',
  '수령',
  '거소',
  '살고',
  '사는 곳',
  '본적',
  '등록기준지',
  '사업장',
  '집',
  'address',
  'live at',
  'lives at',
  'living at',
  'ship to',
  'deliver',
  'residence',
  'located',
]);

const ROAD = /^[가-힣][가-힣0-9·]{0,14}(?:대로|로|길)(?:[0-9]{1,4}번?(?:[가-힣]?길))?$/;
/** A side road: 12길, 36번길, 7번가길. */
const BRANCH = /^[0-9]{1,4}(?:번|[가-힣])?[가-힣]?길$/;
/** Words with the ending of a road that are none. */
const NOT_A_ROAD =
  /으로$|^(?:그|이|저|마음|멋|뜻|절|제|별|따|서|바|새|주|홀|스스|실제|정말|참|진짜|함부|대체|때때|억지|도|앞|뒤|위|아래|그대|이대|저대|마음대|멋대|뜻대|절대|제대)로$/;
const isRoad = (word: string) => ROAD.test(word) && !NOT_A_ROAD.test(word);

/** A section of a street with a number of its own: 을지로 3가. */
const PART = /^[0-9]가$/;
const LOT = /^[가-힣][가-힣0-9·]{0,7}(?:동|리|가|읍|면)(?:[0-9]{1,2}가)?$/;
const TOWN = /^[가-힣]{1,6}[0-9]?(?:읍|면|동|리|가)$/;
const UNDERGROUND = /^(?:지하|산|공중)$/;
const COMPLEX =
  /^[가-힣A-Za-z0-9]{1,14}(?:아파트|빌라|오피스텔|타워|맨션|연립|자이|래미안|푸르지오|힐스테이트|롯데캐슬|아이파크|더샵)(?:[0-9]{1,2}차|[0-9]{1,2}단지)?$/;
const MAX_WORD_LENGTH = 18;
const MAX_WORDS = 6;

/** A word and its offset. */
interface Word {
  readonly word: string;
  readonly start: number;
}

/** Hangul, digits, Latin letters and the dot between names. */
const isWordUnit = (code: number) =>
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 48 && code <= 57) ||
  code === 0xb7 ||
  ((code | 32) >= 97 && (code | 32) <= 122);

/** Yields the words before an offset, the nearest first, up to a comma or bracket. */
function* wordsBefore(text: string, end: number): Generator<Word> {
  let at = end;
  for (let count = 0; count < MAX_WORDS; count++) {
    if (text.charAt(at - 1) === ' ') at--;
    else if (count > 0 || at === 0) return;
    let start = at;
    while (start > 0 && at - start < MAX_WORD_LENGTH && isWordUnit(text.charCodeAt(start - 1))) start--;
    // Longer runs are no words of an address.
    if (start === at || at - start === MAX_WORD_LENGTH) return;
    yield { word: text.slice(start, at), start };
    at = start;
  }
}

/** Units after a number that make it an amount, a time or an order instead of a house number. */
const UNITS =
  /^ ?(?:년|월|일|원|명|개|건|회|차|위|번째|시간|시(?!\s)|분|초|점|배|주|%|퍼센트|만|천|억|조|km|m|kg|대(?! ?[0-9.,]+ ?(?:㎡|제곱미터|평|m2))|살|세|쪽|장|절|항|권|층 이상|단계|등|인(?!데|지|가|[은을이]))/;
const NUMBER = /^[0-9]{1,5}(?:-[0-9]{1,4})?(?:번지(?: ?[0-9]{1,3}호)?)?/;
const REST =
  /^(?:,? ?(?:[가-힣A-Za-z0-9]{1,16}(?:아파트|빌라|오피스텔|타워|빌딩|맨션|연립|주택|센터|플라자|프라자|상가|자이|래미안|푸르지오|힐스테이트|롯데캐슬|아이파크|더샵|단지)(?: ?[0-9]{1,2}(?:차|단지))?|\(?[가-힣0-9]{2,8}(?:동|가|리)(?:, ?[가-힣A-Za-z0-9 ]{2,20})?\)|(?:제? ?)?[0-9A-Za-z가-힣]{1,4}동(?= ?[0-9B]|[^가-힣]|$)|(?:지하|B)? ?[0-9]{1,3}층|[0-9]{1,5}호(?:실)?)(?![가-힣]*(?:[0-9]+(?:회|차)))){1,5}/;

/** The part of an address before its number. */
interface AddressHead {
  readonly start: number;
  /** Whether it names a road, and not a lot or an estate. */
  readonly road: boolean;
  /** Number of districts it names. */
  readonly towns: number;
}

/** Finds the road or lot before a number, and the districts before that; null where there is no road or lot. */
function findPartsBefore(text: string, at: number): AddressHead | null {
  let start = -1;
  let kind: 'road' | 'branch' | 'lot' | null = null;
  let towns = 0;
  for (const { word, start: numberStart } of wordsBefore(text, at)) {
    if (start < 0 && UNDERGROUND.test(word)) continue;
    if (kind === null && (BRANCH.test(word) || PART.test(word))) kind = 'branch';
    else if ((kind === null || kind === 'branch') && towns === 0 && isRoad(word)) kind = 'road';
    else if (kind === null && COMPLEX.test(word)) kind = 'lot';
    else if (provinces.has(word) || districts.has(word)) towns++;
    else if (towns === 0 && (TOWN.test(word) || LOT.test(word))) kind ??= 'lot';
    else {
      const splitWord = splitDistrict(word);
      if (splitWord === null) break;
      towns++;
      if (kind === null && splitWord.rest !== '')
        kind = isRoad(splitWord.rest) ? 'road' : TOWN.test(splitWord.rest) ? 'lot' : null;
    }
    start = numberStart;
  }
  return start < 0 || kind === null || kind === 'branch' ? null : { start, road: kind === 'road', towns };
}

/** Splits districts that are written together: 서울시강남구, 강남구역삼동. */
function splitDistrict(word: string): { readonly rest: string } | null {
  for (let at = 2; at <= Math.min(7, word.length); at++) {
    const head = word.slice(0, at);
    if (!(districts.has(head) || (provinces.has(head) && /[시도]$/.test(head)))) continue;
    const rest = word.slice(at);
    return rest === '' ? { rest } : (splitDistrict(rest) ?? { rest });
  }
  return null;
}

function scoreOf(text: string, start: number, end: number, { road, towns }: AddressHead): number {
  const hasContext = words.distanceTo(text, start, end) !== null;
  if (towns >= 2) return 0.95;
  if (towns === 1) return hasContext ? 0.95 : 0.85;
  const detailed = /[0-9]호|[0-9]동|번지|\(/.test(text.slice(start, end));
  if (hasContext) return detailed ? 0.8 : road ? 0.7 : 0.4;
  return detailed ? 0.6 : 0.4;
}

/** Last characters of the words that precede the numbers of addresses. */
const ENDS_OF_NAMES = /[로길동리가읍면하산중트라텔워션립이안오슬크샵지차]/;
/** What follows a number that belongs to the name of a road: 테헤란로 12길. */
const ROAD_SUFFIX = /^(?:번?[가-힣]?길|번|가 ?(?:산 ?)?[0-9])/;
const ROOM = /^(?:동|호|층)/;
const MAX_REST_LENGTH = 80;

/** End of a house number with floor and flat; null where the number is not a house number. */
function endOfNumber(text: string, numberStart: number): number | null {
  const number = NUMBER.exec(text.slice(numberStart, numberStart + 24))?.[0] ?? '';
  const end = numberStart + number.length;
  if (/^(?:[0-9A-Za-z*]|[,.][0-9])/.test(text.slice(end, end + 2))) return null;
  const following = text.slice(end, end + MAX_REST_LENGTH);
  if (ROAD_SUFFIX.test(following)) return null;
  // The number of a building within an estate is no house number.
  if (ROOM.test(following)) {
    const room = REST.exec(text.slice(numberStart, numberStart + MAX_REST_LENGTH))?.[0];
    if (room !== undefined) return numberStart + room.length;
  }
  const rest = REST.exec(following)?.[0] ?? '';
  return rest === '' && UNITS.test(following) ? null : end + rest.length;
}

/** Finds Korean addresses, at groups of digits. */
function findKorean(text: string, groups: Groups, report: Report): void {
  let coveredTo = 0;
  for (let at = 0; at < groups.count; at++) {
    const numberStart = groups.starts[at] ?? 0;
    const lastChar = text.charAt(numberStart - 1) === ' ' ? text.charAt(numberStart - 2) : text.charAt(numberStart - 1);
    if (numberStart < coveredTo || !ENDS_OF_NAMES.test(lastChar)) continue;
    const parts = findPartsBefore(text, numberStart);
    const end = parts && endOfNumber(text, numberStart);
    if (!parts || end === null) continue;
    const score = scoreOf(text, parts.start, end, parts);
    report('ADDRESS', parts.start, end, score);
    if (score >= 0.5) coveredTo = end;
  }
}

const STREET =
  /(?<![0-9A-Za-z.,-])[0-9]{1,5}(?:-[0-9]{1,4})?(?: [A-Z][A-Za-z'.]{0,20}){1,4} (?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Court|Ct|Place|Pl|Terrace|Parkway|Pkwy|Highway|Hwy|Square|Circle)\b\.?(?:,? (?:Apt|Apartment|Suite|Ste|Unit|Floor|Fl|#)\.? ?#?[A-Za-z0-9-]{1,6})?(?:,? (?!and\b|in\b|on\b|at\b)[A-Z][A-Za-z.]{1,20}(?: [A-Z][A-Za-z.]{1,20}){0,2})?(?:,? [A-Z]{2})?(?:,? [0-9]{5}(?:-[0-9]{4})?)?/g;
const ROMANISED =
  /(?<![0-9A-Za-z.-])(?:#?[0-9A-Z-]{1,8},? )?[0-9]{1,5}(?:-[0-9]{1,4})?,? (?:[A-Z][a-z]{1,20}(?:-(?:daero|ro|gil|dong|ga|ri))(?: ?[0-9]{1,4}(?:beon)?-gil)?,? ?){1,2}(?:[A-Z][a-z]{1,14}-(?:gu|si|gun|do|myeon|eup|dong),? ?){0,3}(?:(?:Seoul|Busan|Daegu|Incheon|Gwangju|Daejeon|Ulsan|Sejong|Gyeonggi|Jeju)(?:-(?:si|do))?)?(?:,? [0-9]{5})?(?:,? (?:Republic of Korea|South Korea|Korea))?/g;

function findEnglish(text: string, report: Report): void {
  for (const { index, 0: found } of text.matchAll(STREET)) {
    const end = index + found.length;
    const hasPostalCode = /[0-9]{5}(?:-[0-9]{4})?$/.test(found);
    report('ADDRESS', index, end, hasPostalCode ? 0.9 : words.distanceTo(text, index, end) === null ? 0.65 : 0.85);
  }
  for (const { index, 0: found } of text.matchAll(ROMANISED)) {
    const end = index + found.replace(/[, ]+$/, '').length;
    report('ADDRESS', index, end, /-(?:gu|si|gun)|Seoul|Busan/.test(found) ? 0.9 : 0.65);
  }
}

/** Finds addresses by road and by lot, in Korean and English; `language` restricts it to one of them. */
export function findPostalAddresses(
  text: string,
  groups: Groups,
  language: 'auto' | 'ko' | 'en',
  report: Report,
): void {
  if (language !== 'en') findKorean(text, groups, report);
  if (language !== 'ko') findEnglish(text, report);
}
