import type { Span } from '../document.ts';

const looks = ['bold', 'italic', 'strike', 'code', 'script', 'link', 'math', 'note'] as const;

const sameLooks = (one: Span, other: Span): boolean =>
  one.note === undefined && !one.math && looks.every((look) => (one[look] ?? false) === (other[look] ?? false));

/** Joins neighbours that look the same, and drops empty ones. */
export function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    const last = result.at(-1);
    if (last !== undefined && texts.length > 1) result.splice(-1, 1, { ...last, text: texts.join('') });
    texts = [];
  };
  for (const span of spans) {
    if (span.text === '' && span.note === undefined) continue;
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
export function trimmed(spans: readonly Span[]): readonly Span[] {
  const result = joined(spans);
  const cut = (at: number, trim: (text: string) => string): boolean => {
    const span = result.at(at);
    if (span === undefined || span.note !== undefined) return false;
    const text = trim(span.text);
    if (text === '') result.splice(at, 1);
    else if (text !== span.text) result.splice(at, 1, { ...span, text });
    return text === '';
  };
  while (cut(0, (text) => text.trimStart()));
  while (cut(-1, (text) => text.trimEnd()));
  return result;
}
