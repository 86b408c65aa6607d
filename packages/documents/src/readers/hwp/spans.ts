import type { Span } from '../../document.ts';
import type { CharShape, DocInfo } from './doc-info.ts';
import { readableText } from './special-characters.ts';

/** Collects the runs of a paragraph; neighbours that look the same become one. */
export interface SpanBuilder {
  readonly text: (text: string, shape: CharShape | undefined, link: string | null) => void;
  readonly span: (span: Span) => void;
  /** There is something to be read in it. */
  readonly hasText: () => boolean;
  /** Nothing was collected, white space neither. */
  readonly isEmpty: () => boolean;
  /** What was collected since the last time, without the white space around it. */
  readonly take: () => readonly Span[];
  /** Size of most letters, whether most are bold, whether all are white; of all that was ever collected. */
  readonly looks: () => { readonly size: number; readonly bold: boolean; readonly white: boolean };
}

const WHITE_RGB = 0xffffff;
const DEFAULT_SIZE_HWPUNIT = 1000;

const lookOf = (shape: CharShape | undefined, link: string | null): Omit<Span, 'text'> => ({
  ...(shape?.bold ? { bold: true } : {}),
  ...(shape?.italic ? { italic: true } : {}),
  ...(shape?.strike ? { strike: true } : {}),
  ...(shape?.script == null ? {} : { script: shape.script }),
  ...(link === null ? {} : { link }),
});

const sameLook = (a: Span, b: Omit<Span, 'text'>): boolean =>
  a.bold === b.bold && a.italic === b.italic && a.strike === b.strike && a.script === b.script && a.link === b.link;

/** Cuts white space at both ends; spans with nothing left go. */
const trim = (spans: readonly Span[]): Span[] => {
  const isSpace = ({ text, field }: Span): boolean => text.trim() === '' && field === undefined;
  const from = spans.findIndex((span) => !isSpace(span));
  if (from === -1) return [];
  const kept = spans.slice(from, spans.findLastIndex((span) => !isSpace(span)) + 1);
  kept[0] = { ...kept[0]!, text: kept[0]!.text.trimStart() };
  kept[kept.length - 1] = { ...kept.at(-1)!, text: kept.at(-1)!.text.trimEnd() };
  return kept;
};

export const createSpanBuilder = (): SpanBuilder => {
  let spans: Span[] = [];
  /** Neighbouring texts of the last span, joined when it is over: adding letter by letter would be slow. */
  let parts: string[] = [];
  let look: Omit<Span, 'text'> | null = null;
  const sizes = new Map<number, number>();
  let letters = 0;
  let bold = 0;
  let whites = 0;
  const close = (): void => {
    if (look !== null) spans.push({ text: readableText(parts.join('')), ...look });
    parts = [];
    look = null;
  };
  return {
    text: (text, shape, link) => {
      const next = lookOf(shape, link);
      if (look === null || !sameLook({ text: '', ...look }, next)) {
        close();
        look = next;
      }
      parts.push(text);
      const count = text.trim().length;
      if (count === 0) return;
      letters += count;
      const size = shape?.size ?? DEFAULT_SIZE_HWPUNIT;
      sizes.set(size, (sizes.get(size) ?? 0) + count);
      if (shape?.bold) bold += count;
      if (shape?.colour === WHITE_RGB && !shape.shaded) whites += count;
    },
    span: (span) => {
      close();
      spans.push(span);
      letters += 1;
    },
    hasText: () => parts.some((part) => part.trim() !== '') || spans.some(({ text }) => text.trim() !== ''),
    isEmpty: () => spans.length === 0 && parts.every((part) => part === ''),
    take: () => {
      close();
      const taken = trim(spans);
      spans = [];
      return taken;
    },
    looks: () => ({
      size: [...sizes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? DEFAULT_SIZE_HWPUNIT,
      bold: bold * 2 > letters,
      white: letters > 0 && whites === letters,
    }),
  };
};

/** Char shapes of a paragraph by the place in its text; places are asked for in order. */
export const createShapeFinder = (
  info: DocInfo,
  shapes: readonly { readonly at: number; readonly shape: number }[],
): { readonly at: (place: number) => CharShape | undefined; readonly next: () => number } => {
  let index = 0;
  return {
    at: (place) => {
      while (index + 1 < shapes.length && shapes[index + 1]!.at <= place) index += 1;
      return info.charShapes[shapes[index]?.shape ?? 0];
    },
    next: () => shapes[index + 1]?.at ?? Number.POSITIVE_INFINITY,
  };
};
