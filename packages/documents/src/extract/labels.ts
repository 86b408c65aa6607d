/** A number in a circle, a bracket or Roman letters before a label: one sign each, which normalisation makes letters. */
const signBefore = /^[\s○●◦□■◇◆▶▷※*·ㆍ•]*[①-⒛㉠-㉻Ⅰ-ⅿ][.)]?\s*(?=\S)/u;
const numberBefore =
  /^[\s○●◦□■◇◆▶▷※*·ㆍ•]*(?:\(?\d{1,2}(?:[.-]\d{1,2}){0,2}[.)](?!\d)|\(?[가나다라마바사아자차카타파하][.)]|[ivx]{1,5}[.)])\s*(?=\S)/u;

/** A label without blanks, punctuation and numbers before it, in small letters: forms write `성  명 :`, `1. 성명` and `① 성명`. */
export const labelKey = (text: string): string =>
  text
    .replace(signBefore, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(numberBefore, '')
    .replaceAll(/[\s\p{P}\p{S}]+/gu, '');

const multiples: Readonly<Record<string, number>> = {
  십: 10,
  백: 100,
  천: 1e3,
  만: 1e4,
  십만: 1e5,
  백만: 1e6,
  천만: 1e7,
  억: 1e8,
  십억: 1e9,
  백억: 1e10,
  천억: 1e11,
  조: 1e12,
};
const counted =
  '원|달러|불|엔|위안|유로|krw|usd|eur|jpy|명|인|톤|개|건|주|권|부|회|대|매|점|호|kw|kwh|mw|mwh|㎡|m2|tco2eq|tco2';
const multipleUnit = new RegExp(`^(십|백|천|만|십만|백만|천만|억|십억|백억|천억|조) ?(?:${counted})?$`, 'u');
const plainUnit = new RegExp(
  `^(?:${counted}|[%‰$₩￦¥€℃]|일|월|년|개월|개년|주일|시간|시|분|초|세|식|조|필지|가구|세대|종|면|쪽|페이지|본|벌|병|박스|상자|포|호기|ea|set|kg|g|mg|t|km|m|cm|mm|㎞|㎝|㎜|㎏|㎎|ha|km2|㎢|m3|㎥|l|ml|ℓ|㎖|v|a|w|kva|hz|gb|mb|tb|p|pt|점수|배)$`,
  'u',
);
/** The last bracket of a label, with what may stand before the unit in it. */
const lastBracket = /[([]\s?(?:단위\s?:?\s?)?([^()[\]]{1,12})[)\]][\s:]*$/u;

/** The label without the unit in its last bracket, and what its numbers are multiplied with; null where it has none. */
export function withoutUnit(text: string): { readonly label: string; readonly factor: number } | null {
  const words = text.replace(signBefore, '').normalize('NFKC').replaceAll(/\s+/g, ' ');
  const bracket = lastBracket.exec(words);
  if (bracket === null) return null;
  const unit = (bracket[1] ?? '').trim().toLowerCase();
  const label = words.slice(0, bracket.index);
  const multiple = multipleUnit.exec(unit)?.[1];
  if (plainUnit.test(unit)) return { label, factor: 1 };
  return multiple === undefined ? null : { label, factor: multiples[multiple] ?? 1 };
}

/** What titles of parts have behind the name of what they tell of. */
const partWords = /(?:의)?(?:정보|현황|인적사항|기본사항|일반사항|사항|내역|개요|란)$/u;
const articleBefore = /^\s*제\s?\d{1,3}\s?[장절조항편관]\s*/u;

/** Keys that the title of a part may be known by: `제1조 (발주자)`, `발주자(갑)`, `수급인 정보`. */
export function titleKeys(text: string): readonly string[] {
  const title = text.replace(articleBefore, '');
  const pieces = [title, ...title.split(/[()（）[\]【】「」<>/:：]/u)].map(labelKey);
  return [...new Set(pieces.flatMap((key) => [key, key.replace(partWords, '')]))].filter((key) => key !== '');
}
