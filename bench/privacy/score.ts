import { type PiiType, piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { findPii } from '../../server/src/privacy/index.ts';
import type { Labelled } from './sentences.ts';

/** What was found of a type. */
export interface Score {
  readonly type: PiiType;
  /** Values in the texts. */
  readonly values: number;
  readonly found: number;
  /** Findings that are no value of this type. */
  readonly wrong: number;
}

/** Names and addresses count when they overlap, as people do not agree on where one ends; the others must fit exactly. */
const loose = new Set<PiiType>(['ADDRESS', 'PERSON']);

export interface Miss {
  readonly text: string;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

/** Compares what is found, of all types together, with the labels. */
export function scoreTexts(
  texts: readonly Labelled[],
  types: readonly PiiType[] = piiTypes,
): { readonly scores: Score[]; readonly misses: Miss[] } {
  const counts = new Map(piiTypes.map((type) => [type, { values: 0, found: 0, wrong: 0 }]));
  const misses: Miss[] = [];
  for (const { text, entities } of texts) {
    const findings = findPii(text, { types });
    const fits = (finding: (typeof findings)[number], entity: (typeof entities)[number]) =>
      finding.type === entity.type &&
      (loose.has(entity.type)
        ? finding.start < entity.end && entity.start < finding.end
        : finding.start === entity.start && finding.end === entity.end);
    const missed = entities.filter((entity) => !findings.some((finding) => fits(finding, entity)));
    const wrong = findings.filter((finding) => !entities.some((entity) => fits(finding, entity)));
    for (const entity of entities) {
      const count = counts.get(entity.type);
      if (!count) continue;
      count.values++;
      if (!missed.includes(entity)) count.found++;
    }
    for (const { type } of wrong) {
      const count = type === 'CUSTOM' ? undefined : counts.get(type);
      if (count) count.wrong++;
    }
    const show = ({ type, start, end }: { readonly type: string; readonly start: number; readonly end: number }) =>
      `${type} ${text.slice(start, end)}`;
    if (missed.length + wrong.length > 0) misses.push({ text, missed: missed.map(show), wrong: wrong.map(show) });
  }
  return { scores: [...counts].map(([type, count]) => ({ type, ...count })), misses };
}

type Counts = Pick<Score, 'values' | 'found' | 'wrong'>;

/** Counts of all types together. */
export const totalOf = (scores: readonly Score[]): Counts => ({
  values: scores.reduce((sum, { values }) => sum + values, 0),
  found: scores.reduce((sum, { found }) => sum + found, 0),
  wrong: scores.reduce((sum, { wrong }) => sum + wrong, 0),
});

export const recall = ({ values, found }: Counts): number => (values === 0 ? 1 : found / values);
export const precision = ({ found, wrong }: Counts): number => (found + wrong === 0 ? 1 : found / (found + wrong));
