import { type Words, contextWords } from '../context.ts';
import type { Report } from '../finding.ts';
import { findNameColumns } from './name-columns.ts';
import { firstNames, givenSyllables, longSurnames, notNames, romanSurnames, surnames } from './names.ts';
import { findPlacedNames } from './placed-names.ts';

// Names are recognised by their surroundings: a label before, a title after. A name alone is a word like any other.

/** Labels that only names follow. */
const NAME_LABELS = '이름|성명|성함|고객명|예금주|환자명|학생명|회원명|직원명|사원명|명의자|대표자명|담당자명|신청인명';
/** Words for people, which names may follow. */
const ROLE_LABELS =
  '고객|대표자|대표이사|대표|담당자|담당|신청인|신청자|환자|수취인|수령인|받는 ?사람|보내는 ?사람|보호자|작성자|기안자|검토자|승인자|계약자|피보험자|임차인|임대인|매수인|매도인|원고|피고|피고인|증인|저자|지원자|응시자|학생|참석자|강사|배우자|자녀|부친|모친|세대주|가입자|회원|소유자|차주|운전자|발신인|수신인|제출자|보고자|문의자|상담원|상담자|주치의|간병인|수신|발신|참조|받는 ?분|보내는 ?분|수하인|대리인|법정대리인|수진자|입원 ?환자|근로자|수강생|교육생|위임인|수임인|매도인|수익자|피상속인|상속인|채권자|채무자|양도인|양수인|임대차인|담임|변호사|법무사|세무사|추천인|보증인|연대보증인|피보험인|참가자|당직자|발표자|면접관|인솔자|연락 ?담당|예약자|구매자|주문자|판매자|투숙객|탑승자|승객|동거인|본인';
/** What may follow a name. */
const FOLLOWED_BY =
  '(?=(?:이라고|라고|이라는|라는|입니다|이며|이고요?|이구요|이다|이에요|예요|이요|인데요?|이시고|씨|님|께서|에게|께|의|은|는|이|가|을|를|와|과|도|로|으로)?(?![가-힣])|(?:씨|님)[가-힣]{0,3}(?![가-힣]))';
/** Between a label and its name; the party may follow the label: 위임인(갑). */
const LABEL_END = '(?:\\([갑을병정]\\) ?|["\']?\\s?[:：=|\\t-]\\s?["\']?|[\'"“(\\[]{1,2})';
const LABELLED = new RegExp(
  `(?<![가-힣])(?:(?:${NAME_LABELS})(?:(?:은|는|이|가)(?=[ :：]))?(?:${LABEL_END}| )|(?:${ROLE_LABELS})(?:${LABEL_END}| ))(?=([가-힣]{2,4})${FOLLOWED_BY})`,
  'g',
);
const NAMED = new RegExp(`^(?:${NAME_LABELS})`);
const TITLES =
  '고객님|선생님|교수님|과장님|부장님|팀장님|대리님|차장님|사장님|이사님|대표님|원장님|기사님|님|씨|군|양|사원|주임|대리|과장|차장|부장|팀장|실장|본부장|센터장|소장|이사|상무|전무|부사장|사장|부회장|회장|대표이사|대표|교수|조교수|부교수|박사|석사|선생|의사|원장|간호사|변호사|검사|판사|회계사|세무사|기자|아나운서|감독|선수|코치|작가|의원|장관|차관|대통령|총리|시장|군수|구청장|주무관|사무관|서기관|선임연구원|책임연구원|수석연구원|주임연구원|전임연구원|연구원|책임|선임|수석|매니저|프로|팀원|조합장|이장|반장|목사|신부|스님|환자|어르신|할머니|할아버지|학생|대원|경위|경감|순경|소방관|중위|대위|소령|중령|대령|상병|병장|일병|하사|중사|상사|원사|드림|올림|배상|귀하';
const TITLED = new RegExp(
  `(?<![가-힣])([가-힣]{2,4}) ?(${TITLES})(?=(?:님|께|께서|에게|의|은|는|이|가|을|를|와|과|도|로|으로|이라|입니다|이고|이며|이다|이요|이에요|예요|요|인|이신|였|만|하고|한테|처럼|측|급|등)|[^가-힣]|$)`,
  'g',
);
/** Titles that also follow names of two syllables. */
const titlesOfPeopleOnly = /^(?:씨|귀하|고객님|주무관)$/;
const ENDS_AFTER_TITLE = /^(?:에게|[은는이가을를와과도의])?(?![가-힣])/;
const INTRODUCED_NAME =
  /(?:(?<![가-힣])저|저는|나는|제 이름은|내 이름은|제가|본인은|저희 (?:아버지|어머니|아들|딸)(?: 이름은|는|인)) ?([가-힣]{2,4})(?=(?:이라고|라고|입니다|이고|예요|이에요|이며|이라는|라는|인데|이요|이여))/g;

/** 담당자는 김서준입니다. */
const NAMED_ROLE = new RegExp(
  `(?<![가-힣])(?:${ROLE_LABELS})(?:은|는|이|가) ?([가-힣]{3,4})(?=입니다|이며|이고|이에요|예요|이라고|이다|씨|님|, )`,
  'g',
);
/** A name with a contact: 홍길동 (010-1234-5678), 홍길동 <hong@example.com>. */
const WITH_CONTACT =
  /(?<![가-힣])([가-힣]{3,4})(?: ?[(<,/|\t] ?|<\/td>\s?<td[^>]{0,40}>)(?=\+?82[ )-]|\(?01[016789]|070|050[2-8]|\+82[ -]?10|[0-9]{6} {0,2}[-~._]? {0,2}[1-8][0-9]{6}(?![0-9])|[a-z0-9._%+-]{1,64}@)/gi;
/** A field with a name in JSON, YAML or code: "name": "홍길동". With an owner, such as user_name, short names are likely as well. */
const FIELD =
  /(?<![a-z_-]|(?<!<)\b[a-z]{1,20} )(?:(full|user|customer|client|patient|owner|holder|member|contact|employee)[_ -]?)?name["']?\s?[:=]\s?["']?([가-힣]{2,4})(?![가-힣])/gi;

const suffixes = [
  '이라고',
  '라고',
  '입니다',
  '이며',
  '이고',
  '이다',
  '이라는',
  '라는',
  '께서',
  '에게',
  '으로',
  '으',
  '씨',
  '님',
  '은',
  '는',
  '이',
  '가',
  '을',
  '를',
  '와',
  '과',
  '의',
  '도',
  '로',
  '께',
];

const titles = new Set(TITLES.split('|'));
const ENDING = /[은는이가을를의도로과와]$/;
/** Whether a word has the form of a name of three or more syllables; with `allowShort`, of two. */
function isName(word: string, allowShort: boolean): boolean {
  if (
    titles.has(word) ||
    notNames.has(word) ||
    notNames.has(word.slice(0, 3)) ||
    (ENDING.test(word) && notNames.has(word.slice(0, -1)))
  )
    return false;
  const isGiven = (given: string) =>
    (given.length === 2 || (allowShort && given.length === 1)) &&
    Array.from(given).every((syllable) => givenSyllables.has(syllable));
  return (
    (surnames.has(word.charAt(0)) && isGiven(word.slice(1))) ||
    (longSurnames.has(word.slice(0, 2)) && isGiven(word.slice(2)))
  );
}

/** The name at the beginning of a word, without a particle after it; null where there is none. */
function nameAtStart(word: string, allowShort: boolean): string | null {
  if (isName(word, allowShort)) return word;
  const suffix = suffixes.find((one) => word.endsWith(one) && word.length - one.length >= (allowShort ? 2 : 3));
  const rest = suffix === undefined ? '' : word.slice(0, -suffix.length);
  return rest !== '' && isName(rest, allowShort) ? rest : null;
}

function findKorean(text: string, report: Report): void {
  for (const { index, 0: found, 1: word = '' } of text.matchAll(LABELLED)) {
    const isMarked = /(?:[:：=|\t'"“([-]\s?["']?|\) ?)$/.test(found);
    const name = nameAtStart(word, isMarked);
    const start = index + found.length;
    // "담당자 지하도": after a mere role, a last syllable that is also a particle leaves doubt.
    const isDoubtful =
      !isMarked &&
      name === word &&
      /[은이가도로의]$/.test(word) &&
      !NAMED.test(found) &&
      /^ [가-힣]/.test(text.slice(start + word.length, start + word.length + 2));
    if (name !== null && !isDoubtful) report('PERSON', start, start + name.length, isMarked ? 0.85 : 0.7);
  }
  for (const { index, 0: found, 1: word = '', 2: title = '' } of text.matchAll(TITLED)) {
    // 양 and 군 are also family names: 이름은 양도현.
    if (/^[양군]$/.test(title) && !ENDS_AFTER_TITLE.test(text.slice(index + found.length, index + found.length + 3)))
      continue;
    const isCertain = title === '씨' || title === '님' || title === '고객님';
    if (isName(word, false)) report('PERSON', index, index + word.length, isCertain ? 0.85 : 0.72);
    else if (titlesOfPeopleOnly.test(title) && isName(word, true)) report('PERSON', index, index + word.length, 0.55);
  }
  for (const { index, 1: word = '' } of text.matchAll(WITH_CONTACT)) {
    if (isName(word, false)) report('PERSON', index, index + word.length, 0.7);
  }
  for (const { index, 0: found, 1: owner, 2: word = '' } of text.matchAll(FIELD)) {
    const start = index + found.length - word.length;
    if (isName(word, owner !== undefined)) report('PERSON', start, start + word.length, 0.8);
  }
  findNameColumns(text, (word) => isName(word, false), report);
  findPlacedNames(text, (word) => isName(word, false), report);
  for (const pattern of [INTRODUCED_NAME, NAMED_ROLE]) {
    for (const { index, 0: found, 1: word = '' } of text.matchAll(pattern)) {
      const name = nameAtStart(word, false);
      const start = index + found.length - word.length;
      if (name !== null) report('PERSON', start, start + name.length, 0.8);
    }
  }
}

const CAPITAL = "[A-Z][a-z]{1,15}(?:[-'][A-Z]?[a-z]{1,15})?";
const TITLED_ENGLISH = new RegExp(
  `(?<![A-Za-z])(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Madam)\\.? (${CAPITAL}(?: (?:[A-Z]\\. )?${CAPITAL}){0,2})`,
  'g',
);
const LABELLED_ENGLISH = new RegExp(
  `(?:(?:[Nn]ame|NAME|[Pp]atient|[Cc]ustomer|[Ee]mployee|[Cc]ontact|[Aa]pplicant|[Ss]igned by|[Aa]ttn\\.?|[Aa]uthor|[Ss]igned|[Ww]itness|[Aa]ttendees?|[Pp]articipants?|[Pp]assenger|[Hh]older|[Bb]eneficiary|[Rr]ecipient|(?:[Ss]hip|[Bb]ill|[Ss]old) to|[Mm]anager|[Oo]wner|[Tt]enant|[Ll]andlord)(?: is|:)|[Mm]y name is|[Ii] am|I'm|[Tt]his is|[Dd]ear|[Rr]egards,|[Ss]incerely,)\\s?(${CAPITAL} (?:[A-Z]\\. )?${CAPITAL})(?![A-Za-z])`,
  'g',
);
/** Two capitalised words; the second may begin another pair: Traveler Sarah Wilson. */
const PAIR = new RegExp(`(?<![A-Za-z])(${CAPITAL}) (?=((?:[A-Z]\\. )?(${CAPITAL}))(?![A-Za-z]))`, 'g');
/** A name with its mail address: "Ada Lovelace" <ada@example.org>. */
const WITH_CONTACT_ENGLISH = new RegExp(
  `(?<![A-Za-z])(${CAPITAL} (?:[A-Z]\\. )?${CAPITAL})["']? ?[<(](?=[A-Za-z0-9._%+-]{1,64}@)`,
  'g',
);
const ROMAN = new RegExp(
  `(?<![A-Za-z])(?:(?:${romanSurnames}),? [A-Z][a-z]{1,6}(?:-[A-Za-z]?[a-z]{1,6}| [A-Z][a-z]{1,6})|[A-Z][a-z]{1,6}-[A-Za-z]?[a-z]{1,6} (?:${romanSurnames}))(?![A-Za-z])`,
  'g',
);
/** Capitalised words that follow first names and are no family names. */
const notSurname =
  /^(?:Street|Avenue|Road|Drive|University|College|Hospital|Park|Bank|Inc|Corp|County|City|Museum|Airport|School|Church|Island|River|Lake|Day|Hall|House|Company|Group|Support|Team|Sales|Service|Services|Desk|Office|News|Newsletter|Notifications?|Admin|Administrator|Billing|Department|Center|Centre|Help|Accounts?|Security|Marketing|Store|Shop|Labs?|Bot|Alerts?|Reply|Studio|Resources|Relations|Press|Mail|System|Systems)$/;
/** First names that parks are named after. */
const namesOfParks = /^(?:Victoria|Austin|Madison|Logan|Jordan|Virginia|Charlotte|Albert|Grace|Lincoln|Dylan|Tyler)$/;
/** Korean given names in Latin letters. */
const romanGiven =
  /^(?:(?:ji|jee|min|seo|su|soo|hy?e|hyun|jin|jun|joon|woo|u|young|yeong|sung|seong|sang|dong|kyung|gyeong|eun|mi|yu|yoo|yoon|yun|ha|hae|do|tae|jae|won|chan|chul|cheol|hoon|hun|hwan|ho|in|kyu|gyu|myung|myeong|na|ri|rin|bin|ah|a|yeon|yeo|seon|sun|sook|suk|hee|hui|wook|uk|ryeong|byung|byeong|gi|ki|gwang|kwang|hyeon|hyuk|yong|geun|keun){2})$/i;
const romanFamily = new RegExp(`^(?:${romanSurnames})$`);
/** Capitalised words that begin names of teams. */
const notFirstName =
  /^(?:The|Customer|Technical|Tech|Sales|Human|Help|Account|Accounts|No|Web|Data|System|Public|Investor|Media|Press|Order|Product|Billing|Support|Service|Our|Your|New|General)$/;

function findEnglish(text: string, personWords: Words, report: Report): void {
  for (const { index, 0: found, 1: name = '' } of text.matchAll(TITLED_ENGLISH)) {
    const start = index + found.length - name.length;
    report('PERSON', start, start + name.length, 0.85);
  }
  for (const { index, 0: found, 1: name = '' } of text.matchAll(LABELLED_ENGLISH)) {
    const start = index + found.length - name.length;
    report('PERSON', start, start + name.length, 0.75);
  }
  for (const { index, 1: name = '' } of text.matchAll(WITH_CONTACT_ENGLISH)) {
    const [first = '', ...others] = name.split(' ');
    const isTeam = notSurname.test(others.at(-1) ?? '') || notFirstName.test(first);
    if (!isTeam) report('PERSON', index, index + name.length, 0.75);
  }
  for (const { index, 0: found, 1: first = '', 2: rest = '', 3: last = '' } of text.matchAll(PAIR)) {
    const isName = firstNames.has(first) || (romanGiven.test(first) && romanFamily.test(last));
    const isPlace = notSurname.test(last) && !(last === 'Park' && !namesOfParks.test(first));
    if (isName && !isPlace) report('PERSON', index, index + found.length + rest.length, 0.7);
  }
  for (const { index, 0: found } of text.matchAll(ROMAN)) {
    const hasContext = personWords.distanceTo(text, index, index + found.length) !== null;
    report('PERSON', index, index + found.length, hasContext ? 0.75 : found.includes('-') ? 0.62 : 0.45);
  }
}

const personWords = contextWords([
  '이름',
  '성명',
  '담당',
  '고객',
  '대표',
  '님',
  '씨',
  'name',
  'mr',
  'ms',
  'dear',
  'contact',
  'employee',
  'applicant',
  'regards',
  'sincerely',
  'author',
]);

/** Finds names of people by rules; `language` restricts it to one language. */
export function findPeople(text: string, language: 'auto' | 'ko' | 'en', report: Report): void {
  if (language !== 'en') findKorean(text, report);
  if (language !== 'ko') findEnglish(text, personWords, report);
}
