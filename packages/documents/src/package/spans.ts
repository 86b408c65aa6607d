import type { Span } from '../document.ts';

const lookKeys = ['bold', 'italic', 'strike', 'code', 'script', 'link', 'math', 'note'] as const;

const sameLooks = (one: Span, other: Span): boolean =>
  one.note === undefined &&
  one.field === undefined &&
  other.field === undefined &&
  !one.math &&
  lookKeys.every((look) => (one[look] ?? false) === (other[look] ?? false));

/** Joins neighbours that look the same, and drops empty ones. */
export function joinAlikeSpans(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    const last = result.at(-1);
    if (last !== undefined && texts.length > 1) result.splice(-1, 1, { ...last, text: texts.join('') });
    texts = [];
  };
  for (const span of spans) {
    if (span.text === '' && span.note === undefined && span.field === undefined) continue;
    const last = result.at(-1);
    if (last !== undefined && sameLooks(last, span)) texts.push(span.text);
    else {
      flush();
      result.push(span);
      texts.push(span.text);
    }
  }
  flush();
  return result;
}

/** Joined, without space at either end. */
export function trimSpans(spans: readonly Span[]): readonly Span[] {
  const result = joinAlikeSpans(spans);
  const isSpace = (span: Span | undefined): boolean =>
    span?.note === undefined && span?.field === undefined && span?.text.trim() === '';
  let from = 0;
  let to = result.length;
  while (from < to && isSpace(result[from])) from++;
  while (to > from && isSpace(result[to - 1])) to--;
  const kept = result.slice(from, to);
  const [first] = kept;
  if (first !== undefined && first.note === undefined) kept[0] = { ...first, text: first.text.trimStart() };
  const last = kept.at(-1);
  if (last !== undefined && last.note === undefined) kept[kept.length - 1] = { ...last, text: last.text.trimEnd() };
  return kept;
}
