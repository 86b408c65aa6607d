/** What a kind of question asks for, and what a text that answers it holds. */
export interface QuestionType {
  readonly name: 'when' | 'price' | 'contact' | 'who' | 'count' | 'where';
  readonly asks: RegExp;
  readonly answer: RegExp;
}

const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec';

export const questionTypes: readonly QuestionType[] = [
  {
    name: 'when',
    asks: /언제|며칠|날짜|몇 ?(?:년|월|일|시)|기한|마감|연도|\bwhen\b|\bwhat (?:date|day|year|time|month)\b|\bdeadline\b/i,
    answer: new RegExp(
      String.raw`\d{1,4}\s*(?:년|월|일|시|분|주)|\d{4}[-./]\d{1,2}|\b(?:1[0-9]|20)\d\d\b|\d{1,2}:\d\d|\b(?:${MONTHS})\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day|[월화수목금토일]요일|매[일주월년]|오전|오후|\d\s*(?:days?|weeks?|months?|years?|hours?|a\.?m|p\.?m)\b|이내|\bwithin\b`,
      'i',
    ),
  },
  {
    name: 'price',
    asks: /얼마|가격|비용|금액|요금|수수료|연봉|예산|\bhow much\b|\bprices?\b|\bcosts?\b|\bfees?\b|\bsalary\b|\bbudget\b/i,
    answer:
      /\d[\d,.]*\s*(?:원|만|천|억|조|달러|유로|엔|won|usd|krw|eur|dollars?|euros?|cents?|%|퍼센트|percent)|[$₩€£¥]\s*\d|무료|\bfree\b/i,
  },
  {
    name: 'contact',
    asks: /전화|연락처|이메일|메일|\bphone\b|\btelephone\b|\bcontact\b|\be-?mail\b/i,
    answer: /\d{2,4}[-). ]\s?\d{3,4}[- ]?\d{0,4}|[\w.+-]{1,64}@[\w-]{1,64}\.|내선|\bext\b/i,
  },
  {
    name: 'who',
    asks: /누구|누가|담당자|책임자|\bwho(?:m|se)?\b/i,
    answer:
      /[가-힣]{2,4}\s*(?:님|씨|팀장|부장|과장|차장|대리|사원|대표|교수|원장|이사|위원|장관|박사|회장|사장|주임)|(?:^|\s)[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민나진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모][가-힣]{2}(?![가-힣]{3})|\b[A-Z][a-z]+(?:\s[A-Z]\.)?\s[A-Z][a-z]+/,
  },
  {
    name: 'count',
    asks: /몇|\bhow (?:many|long|old|tall|far|big|often|fast|deep|high)\b|\bnumber of\b|인원|개수|횟수|기간/i,
    answer:
      /\d|하루|한 ?(?:번|명|개|달)|두 ?(?:번|명|개|달)|세 ?(?:번|명|개|달)|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|dozen|hundred|thousand|million)\b/i,
  },
  {
    name: 'where',
    asks: /어디|장소|위치|주소|소재|\bwhere\b|\blocation\b|\blocated\b|\baddress\b/i,
    answer:
      /[가-힣]+(?:특별시|광역시|시|군|구|동|읍|면|리|로|길|층|실|호|역|관|홀|센터|빌딩|건물|도)(?:[\s,.]|에|의|으로|이|$)|\b(?:in|at|on|near|to)\s+(?:the\s+)?[A-Z0-9]|\b(?:floor|room|street|road|avenue|building)\b/,
  },
];

/** The kinds of thing that a question asks for; none when it asks for something else. */
export const typesOf = (question: string): readonly QuestionType[] =>
  questionTypes.filter(({ asks }) => asks.test(question));
