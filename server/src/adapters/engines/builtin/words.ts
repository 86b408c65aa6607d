/** Endings that stick to Korean nouns and verbs, longest first. */
const endings = [
  '에서는', '으로는', '에게서', '이라고', '입니까', '습니까', '습니다', '했습니다', '하나요', '인가요', '인가', '나요', '에서', '에게', '으로', '까지', '부터', '보다', '처럼', '이라', '라고', '하고', '이며', '입니다', '이다', '에는', '과의', '와의',
  '은', '는', '이', '가', '을', '를', '의', '에', '로', '과', '와', '도', '만', '요', '죠', '야',
] as const;

const stopWords = new Set(
  'a an the of to in on at is are was were be been do does did what which who whom whose when where why how many much and or for from with by it its this that these those i you he she we they me my your please tell about can could would should there 무엇 뭐 누구 언제 어디 얼마 몇 어떤 어떻게 왜 그 이 저 것 수 있 하 되 알려 주세요 알려줘 대해'.split(' '),
);

const HANGUL = /[가-힣]/;

/** A word without its Korean ending, or its English plural and verb endings. */
export function stem(word: string): string {
  if (HANGUL.test(word)) {
    const ending = endings.find((e) => word.length > e.length && word.endsWith(e));
    return ending ? word.slice(0, -ending.length) : word;
  }
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && (word.endsWith('ed') || word.endsWith('es'))) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}

/** Words of a text, normalised, in order. */
export const words = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** What a text is about: stems without function words; Korean stems also as pairs of syllables, which bridge compounds. */
export function terms(text: string): string[] {
  const out: string[] = [];
  for (const word of words(text)) {
    if (stopWords.has(word)) continue;
    const root = stem(word);
    if (stopWords.has(root)) continue;
    out.push(root);
    if (HANGUL.test(root)) for (let i = 0; i + 2 <= root.length && root.length > 2; i++) out.push(root.slice(i, i + 2));
  }
  return out;
}

/** Whether a text is rather Korean than English. */
export function isKorean(text: string): boolean {
  const hangul = text.match(/[가-힣]/g)?.length ?? 0;
  const latin = text.match(/[A-Za-z]/g)?.length ?? 0;
  return hangul > 0 && hangul * 3 >= latin;
}
