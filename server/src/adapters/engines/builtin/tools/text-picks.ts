import { quotedIn } from '../words/entities.ts';

/** Longest text that values are looked for in, in UTF-16 units. */
export const MAX_WORDS_LENGTH = 4_000;

const COMMAND_END =
  /\s*(?:(?:에 대해|에 대한|에 관해|에 관한)?\s*(?:것을|걸|정보를?|내용을?|자료를?|문서를?|문서에서)?\s*(?:을|를)?\s*(?:좀\s*)?(?:웹에서\s*)?(?:검색|조회|찾아|알려|설명|말|확인)(?:해|하여|서)?\s*(?:봐|보고|줘|주세요|주십시오|줄래|보세요|하세요|주겠니)?\s*(?:알려\s?줘|알려\s?주세요)?)[.!?]*\s*$/;
const COMMAND_START =
  /^\s*(?:please\s+|can you\s+|could you\s+)*(?:search|look|find|google|query|check)(?:\s+(?:up|out))?(?:\s+(?:the\s+)?(?:web|internet|documents?|collection|knowledge base|docs))?(?:\s+(?:for|about|on))?\s+/i;

/** What is to be searched for: the question without the command to search. */
export function queryIn(text: string): string {
  const plain = text.trim().slice(0, MAX_WORDS_LENGTH);
  const quoted = quotedIn(plain)[0]?.text;
  if (quoted !== undefined) return quoted;
  const cut = plain
    .replace(COMMAND_START, '')
    .replace(COMMAND_END, '')
    .replace(/(?:에 대해|에 대한|을|를)$/, '')
    .trim();
  return cut.length > 1 ? cut : plain;
}

/** What is to be sent or worked on: quoted, or after the colon, else the whole. */
export function contentIn(text: string): string {
  const quoted = quotedIn(text)[0]?.text;
  if (quoted !== undefined) return quoted;
  const colon = /[:：]\s*(?=\S)/.exec(text);
  if (colon) return text.slice(colon.index + colon[0].length).trim();
  return /\b(?:saying|that says)\s+(.{1,500})/is.exec(text)?.[1]?.trim() ?? text.trim();
}

const currencies: readonly (readonly [RegExp, string])[] = [
  [/달러|dollars?|\busd\b|\$/i, 'USD'],
  [/유로|euros?|\beur\b|€/i, 'EUR'],
  [/엔화|엔(?![가-힣])|엔을|엔으로|\byen\b|\bjpy\b/i, 'JPY'],
  [/위안|\byuan\b|\bcny\b/i, 'CNY'],
  [/파운드|\bgbp\b|\bpounds?\b|£/i, 'GBP'],
  [/원화|원(?![가-힣])|원으로|원을|\bkrw\b|\bwon\b|₩/i, 'KRW'],
];

/** Codes (ISO 4217) of the currencies that a text names, in their order. */
export function currenciesIn(text: string): string[] {
  return currencies
    .flatMap(([pattern, code]) => {
      const m = pattern.exec(text);
      return m ? [{ code, index: m.index }] : [];
    })
    .sort((a, b) => a.index - b.index)
    .map(({ code }) => code);
}

/** Names of languages and their codes (ISO 639-1). */
export const languages: readonly (readonly [RegExp, string])[] = [
  [/영어|english/i, 'en'],
  [/한국어|korean/i, 'ko'],
  [/일본어|japanese/i, 'ja'],
  [/중국어|chinese/i, 'zh'],
  [/프랑스어|불어|french/i, 'fr'],
  [/독일어|german/i, 'de'],
  [/스페인어|spanish/i, 'es'],
];

/** The time zone of a place that a text names. */
export function zoneOf(text: string): string | undefined {
  const zones: readonly (readonly [RegExp, string])[] = [
    [/서울|한국|seoul|korea/i, 'Asia/Seoul'],
    [/도쿄|일본|tokyo|japan/i, 'Asia/Tokyo'],
    [/런던|london/i, 'Europe/London'],
    [/파리|paris/i, 'Europe/Paris'],
    [/뉴욕|new york/i, 'America/New_York'],
    [/베이징|상하이|beijing|shanghai/i, 'Asia/Shanghai'],
  ];
  return zones.find(([pattern]) => pattern.test(text))?.[1];
}
