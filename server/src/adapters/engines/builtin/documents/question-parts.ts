import { sentences } from './passages.ts';

const MAX_PARTS = 8;
const MAX_LENGTH = 2_000;

/** "… 뽑고, …", "위치는 어디이고 …", "… and when …": where one question ends and the next begins. */
const BETWEEN =
  /(?<=[가-힣](?:고|며)),\s+|(?<=(?:어디|언제|누구|얼마|무엇|몇 ?[가-힣]{1,3})(?:이고|이며|고|며|인지))[,\s]\s*|,?\s+(?:그리고|또한)\s+|[,;]?\s+and\s+(?=(?:what|who|whose|when|where|why|how|which|is|are|do|does|did|can)\b)/iu;
/** "A와 B를 알려 주세요": two things that are asked for in one breath. */
const TWO_THINGS =
  /^(.{2,80}?[가-힣A-Za-z\d])(?:과|와|하고|,)\s+(.{2,80}?)(?:을|를)?\s+(?:각각 |모두 )?(?:알려|말해|찾아|가르쳐|보여|설명해)/u;
/** What a question begins with: "새봄장학금은 …". */
const TOPIC = /^([가-힣A-Za-z\d]{2,30})(?:은|는)\s/;
const HANGUL = /[가-힣]/;

function partsOf(sentence: string): string[] {
  const two = TWO_THINGS.exec(sentence);
  if (two) return [two[1] ?? '', two[2] ?? ''];
  const parts = sentence.split(BETWEEN).map((part) => part.trim());
  const topic = TOPIC.exec(parts[0] ?? '')?.[1];
  return parts.map((part, at) =>
    at > 0 && topic !== undefined && HANGUL.test(part) && !part.includes(topic) ? `${topic} ${part}` : part,
  );
}

/** A request as questions that can be looked up one by one; itself alone where it is one. */
export function questionParts(request: string): string[] {
  const found = request
    .slice(0, MAX_LENGTH)
    .split('\n')
    .flatMap(sentences)
    .flatMap(partsOf)
    .filter((part) => part.length > 1);
  return [...new Set(found)].slice(0, MAX_PARTS);
}
