import type { DocInfo, NumberLevel, ParaShape } from './doc-info.ts';
import { tickSign } from '../../text/form-fields.ts';
import { formatNumber } from './number-formats.ts';
import { readableText } from './special-characters.ts';

/** The number or bullet before a paragraph. */
export interface Mark {
  readonly text: string;
  readonly ordered: boolean;
  readonly level: number;
  /** Of a mark that can be ticked. */
  readonly checked?: boolean;
}

/** Counts the numbered paragraphs of one document in their order. */
export interface Numbering {
  /** Null for a paragraph without one. `outline` is the numbering of the section's outline, from 1. */
  readonly next: (shape: ParaShape, outline: number) => Mark | null;
}

const LEVEL_COUNT = 10;

/** Patterns of a document that names none. Source: Hancom Office, the first numbering of a new document. */
const defaultNumbering: readonly NumberLevel[] = [
  { pattern: '^1.', kind: 0, start: 1 },
  { pattern: '^2.', kind: 8, start: 1 },
  { pattern: '^3)', kind: 0, start: 1 },
  { pattern: '^4)', kind: 8, start: 1 },
  { pattern: '(^5)', kind: 0, start: 1 },
  { pattern: '(^6)', kind: 8, start: 1 },
  { pattern: '^7', kind: 1, start: 1 },
];

const bulletOf = (info: DocInfo, { headId, level, checked }: ParaShape): Mark => {
  const { sign, checkedSign } = info.bullets[headId - 1] ?? { sign: '', checkedSign: '' };
  // Whatever the font draws for it, it is a box to tick.
  if (checkedSign.replaceAll('\0', '').trim() !== '')
    return { text: tickSign(checked), ordered: false, level, checked };
  const text = readableText(sign).trim();
  return { text: text === '' ? '•' : text, ordered: false, level };
};

/** Puts the counts into the pattern; a level above that had no paragraph of its own counts as its first. */
const fillPattern = (definition: readonly NumberLevel[], counts: readonly number[], level: number): string => {
  const shown = (at: number): string => {
    const count = counts[at] ?? 0;
    return formatNumber(count === 0 ? (definition[at]?.start ?? 1) : count, definition[at]?.kind ?? 0);
  };
  const path = (): string => Array.from({ length: level + 1 }, (_, at) => shown(at)).join('.');
  return (definition[level]?.pattern ?? '').replaceAll(/\^(\d{1,2}|[nN])/gu, (_, which: string) => {
    if (which === 'n') return path();
    return which === 'N' ? `${path()}.` : shown(Number(which) - 1);
  });
};

export const createNumbering = (info: DocInfo): Numbering => {
  const counts = new Map<number, number[]>();
  const count = (id: number, level: number, definition: readonly NumberLevel[]): readonly number[] => {
    const known = counts.get(id) ?? Array.from({ length: LEVEL_COUNT }, () => 0);
    counts.set(id, known);
    // A level that had no paragraph of its own counts as its first.
    for (let above = 0; above < level; above++) if (known[above] === 0) known[above] = definition[above]?.start ?? 1;
    known[level] = known[level] === 0 ? (definition[level]?.start ?? 1) : known[level]! + 1;
    known.fill(0, level + 1);
    return known;
  };
  return {
    next: (shape, outline) => {
      if (shape.head === 'none') return null;
      const { level } = shape;
      if (shape.head === 'bullet') return bulletOf(info, shape);
      const id = shape.head === 'outline' ? outline : shape.headId;
      // A section may do without numbers before its outline.
      if (shape.head === 'outline' && id === 0) return null;
      const definition = info.numberings[id - 1] ?? defaultNumbering;
      const text = fillPattern(definition, count(id, level, definition), level).trim();
      return { text: readableText(text), ordered: true, level };
    },
  };
};
