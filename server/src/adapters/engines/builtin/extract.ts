import { terms } from './words.ts';

/** A sentence or row of the context. */
export interface Passage {
  readonly text: string;
  /** Citation mark of the passage that it stands in, such as [1]. */
  readonly mark: string | null;
}

export interface Match extends Passage {
  readonly score: number;
  /** Words of the question that it holds, as a share of all that carry meaning. */
  readonly coverage: number;
}

/** Longest context that is looked at; what lies beyond is left out, the latest first kept. */
const MOST_PASSAGES = 20_000;

/** Cuts a context into sentences and rows, keeping the number of the passage they stand in. */
export function passages(context: string): Passage[] {
  const found: Passage[] = [];
  let mark: string | null = null;
  for (const line of context.split('\n')) {
    const numbered = /^\s*(?:\[(\d{1,3})\]|<document[^>]*?(?:id|index)="?(\d{1,3})"?)/i.exec(line);
    if (numbered) mark = `[${numbered[1] ?? numbered[2]}]`;
    const text = line.replace(/^\s*\[\d{1,3}\]\s*/, '').replace(/<\/?[a-z][^>]{0,200}>/gi, ' ').trim();
    if (text === '' || /^[|:\-\s]+$/.test(text)) continue;
    // A dot between digits or after a single letter ends no sentence.
    for (const sentence of text.split(/(?<=[.!?。]["')\]]?)\s+(?=[^\s])/)) found.push({ text: sentence.trim(), mark });
    if (found.length > MOST_PASSAGES) break;
  }
  return found;
}

/** What kind of thing a question asks for, as a pattern that its answer holds. */
const kinds: readonly [RegExp, RegExp][] = [
  [/언제|며칠|날짜|기한|when\b|what (?:date|day|year|time)/i, /\d{4}\s*년|\d+\s*월|\d+\s*일|\d{4}-\d{2}|\b(?:19|20)\d\d\b|\d+:\d\d|january|february|march|april|may|june|july|august|september|october|november|december|monday|friday/i],
  [/얼마|가격|비용|금액|how much|price|cost/i, /\d[\d,.]*\s*(?:원|만|억|달러|won|usd|krw|%|퍼센트)|[$₩€]\s*\d/i],
  [/몇|how many|number of|how long|how old/i, /\d/],
  [/누구|누가|담당자|who\b/i, /[가-힣]{2,4}\s*(?:님|씨|팀장|부장|대표|교수|과장|원장)|[A-Z][a-z]+ [A-Z][a-z]+|[가-힣]{2,4}(?:이|가|은|는)/],
  [/어디|장소|위치|where\b/i, /[가-힣]+(?:시|군|구|동|층|실|호|역|도)\b|\b(?:in|at|on)\s+[A-Z]/],
  [/전화|번호|연락처|phone|contact/i, /\d{2,4}-\d{3,4}(?:-\d{4})?/],
];

/** The passages that answer a question, best first. Linear in the size of the context. */
export function search(question: string, all: readonly Passage[]): Match[] {
  const asked = [...new Set(terms(question))];
  if (asked.length === 0) return [];
  const sets = all.map(({ text }) => new Set(terms(text)));
  const weight = new Map<string, number>();
  for (const term of asked) {
    const holding = sets.reduce((n, set) => n + (set.has(term) ? 1 : 0), 0);
    weight.set(term, Math.log(1 + (all.length + 0.5) / (holding + 0.5)) * Math.min(term.length, 4));
  }
  const total = [...weight.values()].reduce((a, b) => a + b, 0);
  const kind = kinds.find(([pattern]) => pattern.test(question))?.[1];
  return all
    .map((passage, i) => {
      const set = sets[i] ?? new Set<string>();
      let score = 0;
      for (const term of asked) if (set.has(term)) score += weight.get(term) ?? 0;
      const coverage = score / total;
      const bonus = score > 0 && kind?.test(passage.text) ? total * 0.25 : 0;
      const heading = score > 0 && passage.text.length < 25 && !/\d/.test(passage.text) ? total * 0.2 : 0;
      return { ...passage, score: score + bonus - heading, coverage };
    })
    .filter(({ score, coverage }) => score > 0 && coverage >= 0.2)
    .toSorted((a, b) => b.score - a.score);
}
