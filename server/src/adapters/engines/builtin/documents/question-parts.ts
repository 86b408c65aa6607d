import { sentences } from './passages.ts';

const MAX_PARTS = 8;
const MAX_LENGTH = 2_000;

/** "… 뽑고, …", "위치는 어디이고 …", "… and when …": where one question ends and the next begins. */
const BETWEEN =
  /(?<=[가-힣](?:고|며)),\s+|(?<=(?:어디|언제|누구|얼마|무엇)(?:이고|이며|고|며))\s+|,?\s+(?:그리고|또한)\s+|,?\s+and\s+(?=(?:what|who|when|where|why|how|which|is|are|do|does|can)\b)/iu;
/** What a question begins with: "새봄장학금은 …". */
const TOPIC = /^([가-힣A-Za-z\d]{2,30})(?:은|는)\s/;

function partsOf(sentence: string): string[] {
  const parts = sentence.split(BETWEEN).map((part) => part.trim());
  const topic = TOPIC.exec(parts[0] ?? '')?.[1];
  return parts.map((part, at) => (at > 0 && topic !== undefined && !part.includes(topic) ? `${topic} ${part}` : part));
}

/** A request as questions that can be looked up one by one; itself alone where it is one. */
export function questionParts(request: string): string[] {
  const found = request.slice(0, MAX_LENGTH).split('\n').flatMap(sentences).flatMap(partsOf);
  return [...new Set(found.filter((part) => part.length > 1))].slice(0, MAX_PARTS);
}
