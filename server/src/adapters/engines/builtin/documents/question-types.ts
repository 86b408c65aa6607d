/** What a kind of question asks for, and what a text that answers it holds. */
export interface QuestionType {
  readonly asks: RegExp;
  /** Single words of a question that only name the kind: "위치", "price". */
  readonly names: RegExp;
  readonly answer: RegExp;
  /** What may do where a text holds nothing better. */
  readonly perhaps?: RegExp;
  /** How sure it is that an answer holds such a thing; `mostly` where it may be told in other words. */
  readonly needed: 'always' | 'mostly' | 'seldom';
}

const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec';
const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|once|twice|dozen|half|hundred|thousand|million';
const KOREAN_NUMBERS = '한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무';
const NOTHING = /$^/;

/** Names of places, houses and firms: two words with capitals that are no person. */
const NO_PERSON =
  'Street|Road|Avenue|Lane|Square|Park|Hall|House|Center|Centre|Gallery|Museum|Library|University|College|School|Hospital|Hotel|Airport|Station|Bridge|River|Lake|Island|Mountain|Hill|Harbour|Harbor|City|Town|County|State|States|Kingdom|Ltd|Inc|Corp|Company|Group|Bank|Air|Airlines|Agreement|Report|Policy|Act|Office|Department|Team|Committee|Council|Union|Institute|Association|Movers|Service|Services';
const PERSON = new RegExp(
  String.raw`\b(?:Dr|Mr|Mrs|Ms|Prof|Mayor|Sir)\.?\s+[A-Z]|\b(?!(?:The|This|That|These|Every|Each|On|In|At|All|No|Our|Its|For|From|City|Rua|Rue|Via|Calle|Plaza|Piazza|Lake|Mount|Port|Saint|San|New|North|South|East|West|Main|Old|Upper|Lower)\b)[A-Z][a-z]+(?:\s[A-Z]\.)?(?:\s(?:van|von|de|da|del|di|bin))?\s(?!(?:${NO_PERSON})\b)[A-Z][a-z]+\b(?!\s(?:\d|(?:${NO_PERSON})\b))`,
);
const KOREAN_PERSON =
  /[가-힣]{2,4}\s*(?:님|씨|팀장|부장|과장|차장|대리|주임|선임|책임|사원|대표|교수|원장|이사|위원|장관|박사|회장|사장|선생님?|간호사|변호사|의사|기사)(?![가-힣]{3})|(?:^|[\s:：(])(?!이는|이를|이와|이때|이후|이상|이하|이내|정한|신청|신규|전화|전체|전날|주소|주말|주민|안전|안내|문의|문서|고객|고장|장소|장치|조건|조회|한번|하루|하나|차량|지급|지역|공장|공휴|구매|구역|연구|연락|오전|오후|최대|최소|유효|유지|성인|성적|방법|방문|변경|반납|추가|노트|우편|우선|기간|기준|기본|석|명이|명은|왕복|금액|금지|남은|여러|여섯|육아|임기|임대|강습|강의|서류|서울|권리|황색)[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민나진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모][가-힣]{2}(?![가-힣]{3})/;

const person: QuestionType = {
  needed: 'mostly',
  asks: /누구|누가|담당자|책임자|\bwho(?:m|se)?\b/i,
  names: /담당|책임|사람|\bperson\b/,
  answer: new RegExp(`${KOREAN_PERSON.source}|${PERSON.source}`),
};

const HOURS = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';
const KOREAN_HOURS = '한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두';
const TIMES = String.raw`(?<![가-힣])(?:${KOREAN_HOURS}) ?시(?![가-힣]{2})|\b(?:at|until|till|from|by|before|after) (?:${HOURS})\b|\bo['’]clock\b|\d{1,4}\s*(?:년|월|일|시|분|주)|\d{4}[-./]\d{1,2}|\b(?:1[0-9]|20)\d\d\b|\d{1,2}:\d\d|\b(?:${MONTHS})\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day|[월화수목금토일]요일|매[일주월년]|오전|오후|새벽|정오|자정|\d\s*(?:days?|weeks?|months?|years?|hours?|a\.?m|p\.?m)\b|이내|말일|\b(?:within|daily|weekdays|midnight|noon)\b|\b(?:first|second|third|last) day\b`;
const when: QuestionType = {
  needed: 'always',
  asks: /언제|며칠|날짜|요일|마감|연도|\bwhen\b|\bwhat (?:date|day|year|time|month)\b|\bwhich (?:day|year|month)\b|\bdeadline\b|\bhow soon\b/i,
  names: /날짜|마감|기한|기일|연도|시간|요일|\b(?:date|day|deadlin|year|month|soon)\b/,
  answer: new RegExp(TIMES, 'i'),
};

const DURATION = String.raw`\d[\d.,]*\s*(?:년|개월|달|주|일|시간|분|초|박|\s?(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?)\b)|하루|한 ?달|일주일|이틀|사흘|\b(?:${NUMBER_WORDS}|a|an)[ -](?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?)\b`;
const duration: QuestionType = {
  needed: 'always',
  asks: /얼마 ?동안|얼마나 (?:오래|걸|길)|몇 ?(?:시간|분간|일간|주간|년간|개월간)|기간|\bhow long\b|\bduration\b/i,
  names: /동안|오래|기간|걸리|\b(?:long|durat|period|last)\b/,
  answer: new RegExp(DURATION, 'i'),
};

const frequency: QuestionType = {
  needed: 'mostly',
  asks: /얼마나 자주|얼마마다|몇 ?(?:일|주|년|개월|시간|분)마다|\bhow (?:often|frequently)\b/i,
  names: /자주|마다|\b(?:often|frequently|frequent)\b/,
  answer: new RegExp(
    String.raw`마다|에 (?:\d+|${KOREAN_NUMBERS}) ?(?:번|회)|매[일주월년시]|[주월연] ?\d+ ?회|분기|반기|\bevery\b|\beach (?:day|week|month|year)\b|\b(?:once|twice|times) (?:a|an|per|each|every)\b|\b(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually)\b`,
    'i',
  ),
  perhaps: new RegExp(DURATION, 'i'),
};

const MONEY =
  /\d[\d,.]*\s*(?:[천만억조]\s?)*(?:원|만|천|억|조|달러|유로|엔|won|usd|krw|eur|dollars?|euros?|pounds?|cents?|million|billion|%|퍼센트|percent)|[$₩€£¥]\s*\d|무료|\bfree\b/i;
const price: QuestionType = {
  needed: 'always',
  asks: /얼마|가격|비용|금액|요금|수수료|연봉|예산|\bhow much\b|\bprices?\b|\bcosts?\b|\bfees?\b|\bsalary\b|\bbudget\b|\bpremium\b|\brent\b/i,
  names: /얼마|가격|비용|금액|요금|수수료|\b(?:price|cost|fee|money|amount)\b/,
  answer: MONEY,
  perhaps: /\d/,
};

const contact: QuestionType = {
  needed: 'always',
  asks: /전화|연락처|이메일|메일|\bphone\b|\btelephone\b|\bcontact\b|\be-?mail\b/i,
  names: /전화|연락|메일|\b(?:phon|telephon|contact|email|mail|number)\b/,
  answer: /\d{2,4}[-). ]\s?\d{3,4}[- ]?\d{0,4}|[\w.+-]{1,64}@[\w-]{1,64}\.|내선|\bext(?:ension)?\b/i,
};

const where: QuestionType = {
  needed: 'mostly',
  asks: /어디|장소|위치|\bwhere\b|\blocation\b|\blocated\b/i,
  names: /장소|위치|\b(?:location|locat|place)\b/,
  answer:
    /특별시|광역시|[가-힣]{1,4}[시군구]\s[가-힣]+[동읍면리로길]|[로길]\s?\d|\d+\s?[층호]|[가-힣](?:역|관|홀|센터|빌딩|건물|구청|시청|학교|공원|병원|의원|[실층소점과장원]|창고|데스크|매장|상자|냉장고|서랍)(?:에|에서|으로|로|이다|입니다|이며|이고|까지|[,.]|$)|\b(?:in|at|on|near|to|from|into)\s+(?:the\s+)?[A-Z0-9]|\b(?:floor|room|street|road|avenue|building|desk|hall|cabinet)\b/,
  perhaps:
    /\b(?:in|into|inside|at|on|beside|behind|under|near|next to|to|from)\s+(?:the|a|an|its|our|your)\s+[a-z]|[가-힣]+(?:에서|으로|로|에)(?:\s|$)/,
};

const address: QuestionType = {
  needed: 'mostly',
  asks: /주소|소재지|\baddress\b/i,
  names: /주소|소재|\baddress\b/,
  answer:
    /특별시|광역시|[가-힣]{1,4}[시군구]\s[가-힣\d]+[동읍면리로길]|[가-힣][로길]\s?\d|[\w.+-]{1,64}@[\w-]{1,64}\.|https?:|www\.|\b\d{1,5}[A-Z]?\s[A-Z][a-z]+|\b[A-Z][a-z]+\s\d{1,4}\b|\b(?:street|road|avenue|lane|square)\b/i,
};

const reason: QuestionType = {
  needed: 'seldom',
  asks: /왜|이유|원인|까닭|\bwhy\b|\bcaused?\b|\breasons?\b/i,
  names: /이유|원인|까닭|\b(?:caus|reason)\b/,
  answer:
    /때문|원인|이유|인해|탓|위하여|위해|므로|\bbecause\b|\bcauses?\b|\bdue to\b|\breason|\bto (?:keep|avoid|prevent)\b/i,
};

const colour: QuestionType = {
  needed: 'mostly',
  asks: /무슨 ?색|어떤 ?색|색깔|색상|색은|\bcolou?rs?\b/i,
  names: /색|\bcolou?r/,
  answer:
    /빨간|빨강|붉은|노란|노랑|파란|파랑|푸른|초록|녹색|검은|검정|흰|하얀|흰색|회색|분홍|보라|주황|갈색|남색|은색|금색|\b(?:red|yellow|blue|green|black|white|gr[ae]y|pink|purple|orange|brown|silver|gold|beige|navy)\b/i,
};

const count: QuestionType = {
  needed: 'always',
  asks: /몇|\bhow (?:many|big|fast|large|hard)\b|\bnumber of (?!the\b|our\b|your\b)|인원|개수|횟수|용량|\bcapacity\b/i,
  names: /인원|개수|횟수|수량|용량|\b(?:number|count|capac|big|fast|larg|hard)\b/,
  answer: new RegExp(
    String.raw`\d|하루|(?:${KOREAN_NUMBERS}) ?(?:번|명|개|달|사람|가지|곳|대)|\b(?:${NUMBER_WORDS})\b`,
    'i',
  ),
};

/** A kind of thing that is told as a number with one of some units. */
const measured = (asks: RegExp, names: RegExp, units: string): QuestionType => ({
  needed: 'always',
  asks,
  names,
  answer: new RegExp(String.raw`\d[\d.,]*\s*(?:[천만]\s?)?(?:${units})`, 'i'),
  perhaps: /(?:^|\| |:\s)\d[\d,.]*(?: \||$)/,
});
const measures: readonly QuestionType[] = [
  measured(
    /깊이|높이|길이|거리|너비|폭은|키는|\bhow (?:deep|high|tall|far|wide|thick)\b|\b(?:depth|height|length|width|distance|altitude)\b/i,
    /깊이|높이|길이|거리|너비|\b(?:deep|high|tall|far|wid|thick|depth|height|length|width|distanc|altitud)\b/,
    '(?:k|c|m)?m(?![a-z])|(?:kilo|centi|milli)?met(?:re|er)s?\\b|feet\\b|foot\\b|ft\\b|inch|miles?\\b|yards?\\b|(?:킬로|센티|밀리)?미터|킬로|센티|리\\b',
  ),
  measured(
    /무게|중량|체중|\bhow heavy\b|\bweights?\b|\bweigh\b/i,
    /무게|중량|체중|\b(?:heavy|weight|weigh)\b/,
    '(?:k|m)?g(?![a-z])|(?:kilo)?grams?\\b|kilos?\\b|tons?\\b|tonnes?\\b|t\\b|pounds?\\b|lbs?\\b|ounces?\\b|킬로|그램|톤|근',
  ),
  measured(
    /온도|기온|체온|\bhow (?:hot|cold|warm)\b|\btemperature\b/i,
    /온도|기온|체온|\b(?:hot|cold|warm|temperatur)\b/,
    '도|℃|°|degrees?\\b|kelvin\\b|K\\b',
  ),
  measured(
    /나이|연령|몇 ?(?:살|세)|\bhow old\b|\bwhat age\b/i,
    /나이|연령|\b(?:old|age)\b/,
    '살|세(?![가-힣])|년|years?\\b|months?\\b',
  ),
];

const types: readonly QuestionType[] = [
  ...measures,
  when,
  duration,
  frequency,
  price,
  contact,
  person,
  count,
  where,
  address,
  reason,
  colour,
];

/** What counters of a question are in an answer, where it may be another. */
const COUNTERS: Readonly<Record<string, string>> = {
  명: '명|인|사람',
  사람: '명|인|사람',
  분: '분|명',
  살: '살|세',
  세: '살|세',
  번: '번|회|호',
  회: '번|회',
  달: '개월|달',
  개월: '개월|달',
  시: '시|:\\d\\d',
  도: '도|℃|°',
  일: '일|주',
  며칠: '일|주',
};
/** What a counter says of what it counts. */
const NAMED_BY: Readonly<Record<string, string>> = {
  권: '책|도서',
  명: '사람|인원',
  사람: '인원',
  살: '나이|연령',
  세: '나이|연령',
  시: '시간|시각',
  도: '온도|기온',
};
const COUNTED =
  /(며칠)|몇\s*(명|분|사람|살|세|번|회|달|개월|시간|시|도|일|년|월|주|층|호선|호|대|권|개|장|부|건|가지|마리|병|잔|곳|박|학점|점|조|원|퍼센트|미터|킬로|리터|쪽|평|차)/;

/** "몇 명" asks for people, and for nothing else that is counted. */
function counted(question: string): QuestionType | null {
  const found = COUNTED.exec(question);
  const unit = found?.[1] ?? found?.[2];
  if (unit === undefined) return null;
  const numbers = String.raw`\d[\d,.]*\s*(?:천|만|억)?|(?:${KOREAN_NUMBERS}|첫째|둘째|셋째) ?`;
  return {
    needed: 'always',
    asks: count.asks,
    names: new RegExp(`${count.names.source}|^(?:${NAMED_BY[unit] ?? unit})$`),
    answer: new RegExp(`(?:${numbers})(?:${COUNTERS[unit] ?? unit})`),
    // A number in a cell stands without what it counts.
    perhaps: /(?:^|\| )\d[\d,.]*(?: \||$)/,
  };
}

/** Words that say how often or how long, where "얼마" alone is money. */
const NO_PRICE =
  /얼마 ?동안|얼마나 (?:자주|오래|걸|길|많|큰|크|멀|높)|얼마마다|\bhow much (?:time|water|space|memory)\b/i;

/** The kinds of thing that a question asks for; none when it asks for something else. */
export function typesOf(question: string): readonly QuestionType[] {
  const asked = question.slice(0, 2_000);
  const unit = counted(asked);
  const found = types.filter(
    (type) =>
      type.asks.test(asked) &&
      !(type === price && NO_PRICE.test(asked)) &&
      !(type === count && unit !== null) &&
      !(type === when && unit !== null && !/언제|날짜/.test(asked)) &&
      !(type === duration && frequency.asks.test(asked)) &&
      !(type === duration && /기간/.test(asked) && when.asks.test(asked)),
  );
  return unit === null ? found : [unit, ...found];
}

/** How well a text holds what a kind of question asks for: 1, something that may do, 0. */
export function kindOf({ answer, perhaps = NOTHING }: QuestionType, text: string): number {
  if (answer.test(text)) return 1;
  return perhaps.test(text) ? 0.9 : 0;
}

const NEEDED = { always: 1.01, mostly: 0.8, seldom: 0.5 } as const;

/** Share of a question's meaning that a text must hold which holds nothing of the kinds that are asked for; above 1, none will do. */
export const leastWithoutKind = (asked: readonly QuestionType[]): number =>
  Math.min(...asked.map(({ needed }) => NEEDED[needed]));
