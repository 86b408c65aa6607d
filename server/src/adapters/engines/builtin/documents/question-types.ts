/** What a kind of question asks for, and what a text that answers it holds. */
export interface QuestionType {
  readonly asks: RegExp;
  readonly answer: RegExp;
  /** What may do where a text holds nothing better. */
  readonly perhaps?: RegExp;
  /** Whether a text without such a thing is no answer; else it only counts less. */
  readonly needed: boolean;
}

const KOREAN_NUMBERS = '한|두|세|네|다섯|여섯|일곱|여덟|아홉|열';
const NUMBERS = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';

const TIME = new RegExp(
  String.raw`(?<![가-힣])(?:${KOREAN_NUMBERS}) ?시(?![가-힣]{2})|\d\s*(?:년|월|일|시|분|주)|\d{4}[-./]\d|\b(?:1[0-9]|20)\d\d\b|\d:\d\d` +
    String.raw`|[월화수목금토일]요일|매[일주월년]|오전|오후|새벽|정오|자정|이내|말일|\b(?:at|until|by|before|after) (?:${NUMBERS})\b` +
    String.raw`|\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|daily|weekdays|midnight|noon|within)\b` +
    String.raw`|\d\s*(?:days?|weeks?|months?|years?|hours?|a\.?m|p\.?m)\b|\b(?:first|second|third|last) day\b`,
  'i',
);
const DURATION = new RegExp(
  String.raw`\d\s*(?:년|개월|달|주|일|시간|분|초|박)|하루|한 ?달|일주일|마다|매[일주월년]|분기|\bevery\b|\b(?:once|twice|daily|weekly|monthly|yearly)\b` +
    String.raw`|(?:\d|\b(?:${NUMBERS}|a|an))[ -]*(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?)\b`,
  'i',
);
const PERSON = new RegExp(
  String.raw`[가-힣]{2,4}\s*(?:님|씨|팀장|부장|과장|차장|대리|주임|책임|사원|대표|교수|원장|이사|박사|회장|사장|선생)(?![가-힣]{3})` +
    String.raw`|[:：]\s*[가-힣]{3}(?![가-힣])|\b(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+[A-Z]|(?<!\d\s)\b(?!The\b)[A-Z][a-z]+(?:\s[A-Z]\.)?\s(?!Street|Road|Avenue|Park|Hall|Station)[A-Z][a-z]+\b(?!\s\d)`,
);
const PLACE =
  /[가-힣]{1,4}[시군구]\s[가-힣]+[동읍면리로길]|[로길]\s?\d|\d+\s?[층호]|[가-힣](?:역|관|홀|센터|빌딩|건물|청|학교|공원|병원|의원|[실층소점과장원고])(?:에|에서|으로|로|이다|입니다|이며|이고|[,.]|$)|\b(?:in|at|on|near|to|from|into)\s+(?:(?:the|a|an|its|our|your)\s+\w|[A-Z0-9])/;

const types: readonly QuestionType[] = [
  {
    needed: true,
    asks: /언제|며칠|날짜|기일|요일|마감|연도|\bwhen\b|\b(?:what|which) (?:date|day|year|time|month)\b|\bdate\b|\bdeadline\b|\bhow soon\b/i,
    answer: TIME,
  },
  {
    needed: true,
    asks: /얼마 ?동안|얼마나 (?:오래|걸|길|자주)|몇 ?(?:시간|분간|일간|주간|년간|개월간)|마다|기간|\bhow (?:long|often)\b|\bduration\b|\bperiod\b/i,
    answer: DURATION,
  },
  {
    needed: true,
    asks: /얼마(?! ?동안|나 [자오걸길많큰크멀높]|마다)|가격|비용|금액|요금|수수료|연봉|예산|\bhow much\b(?! time)|\bprices?\b|\bcosts?\b|\bfees?\b|\bsalary\b|\bbudget\b|\brent\b/i,
    answer:
      /\d\s*(?:[천만억조]\s?)*(?:원|만|천|억|조|달러|유로|엔|won|usd|krw|eur|dollars?|euros?|pounds?|cents?|million|billion|%|퍼센트|percent)|[$₩€£¥]\s*\d|무료|\bfree\b/i,
    perhaps: /\d/,
  },
  {
    needed: true,
    asks: /전화(?:번호)?|연락처|메일|\b(?:tele)?phone(?: number)?\b|\be-?mail\b/i,
    answer: /\d{2,4}[-). ]\s?\d{3,4}|[\w.+-]{1,64}@[\w-]{1,64}\.|내선/,
  },
  {
    needed: true,
    asks: /깊이|높이|길이|거리|너비|무게|중량|온도|기온|\bhow (?:deep|high|tall|far|wide|heavy|hot|cold)\b|\bweighs?\b/i,
    answer:
      /\d\s*(?:[kcm]?m|[km]?g|도|[kK])(?![a-z])|[℃°]|\d\s*(?:킬로|센티|미터|그램|톤|(?:kilo|centi)?met(?:er|re)|kilo|gram|ton|feet|foot|inch|mile|degree)/,
    perhaps: /(?:^|\| |[:：]\s)\d/,
  },
  {
    needed: false,
    asks: /왜|이유|원인|\bwhy\b|\bcaused?\b|\breason\b/i,
    answer: /때문|으로 인해|이유|원인|위해|위하여|\bbecause\b|\bdue to\b|\bcaused?\b|\breason\b|\bto avoid\b/i,
  },
  { needed: false, asks: /누구|누가|담당|책임자|\bwho(?:m|se)?\b/i, answer: PERSON },
  { needed: false, asks: /어디|장소|위치|\bwhere\b|\blocation\b/i, answer: PLACE },
];

/** What a counter of a question is in an answer, where it may be another. */
const COUNTERS: Readonly<Record<string, string>> = {
  명: '명|인|사람',
  살: '살|세',
  세: '살|세',
  번: '번|회|호',
  달: '개월|달',
  시: '시|:\\d\\d',
  도: '도|℃|°',
  며칠: '일|주',
};
const COUNTED = /(며칠)|몇\s*(개월|시간|가지|퍼센트|[가-힣])/;

/** "몇 명" asks for people, and for nothing else that is counted. */
function counted(question: string): QuestionType | null {
  const found = COUNTED.exec(question);
  const unit = found?.[1] ?? found?.[2];
  if (unit === undefined) return null;
  return {
    needed: true,
    asks: new RegExp(`^${unit}$`),
    answer: new RegExp(
      String.raw`(?:\d\s*[천만억]?|(?:${KOREAN_NUMBERS}|[첫둘셋넷]째) ?)(?:${COUNTERS[unit] ?? unit})`,
    ),
    // A number in a cell stands without what it counts.
    perhaps: /(?:^|\| )\d[\d,.]*(?: \||$)/,
  };
}

/** The kinds of thing that a question asks for; none when it asks for something else. */
export function typesOf(question: string): readonly QuestionType[] {
  const asked = question.slice(0, 2_000);
  const unit = counted(asked);
  const found = types.filter(({ asks }) => asks.test(asked));
  return unit === null ? found : [unit, ...found.filter((type) => type.answer !== TIME || /언제|날짜/.test(asked))];
}

/** How well a text holds what a kind of question asks for: 1, something that may do, 0. */
export function kindOf({ answer, perhaps }: QuestionType, text: string): number {
  if (answer.test(text)) return 1;
  return perhaps?.test(text) === true ? 0.9 : 0;
}
