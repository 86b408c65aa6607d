import type { Span } from '../../document.ts';
import type { Rect } from './geometry.ts';
import { EMPTY_FIELD } from './field-glyphs.ts';
import type { Glyph } from './glyphs.ts';
import { type Line, wordsOf } from './lines.ts';

const scriptOf = (glyph: Glyph, line: Line): Span['script'] => {
  if (glyph.look.size > 0.82 * line.size) return undefined;
  const raised = line.base - glyph.base;
  if (raised > 0.12 * line.size) return 'super';
  return raised < -0.08 * line.size ? 'sub' : undefined;
};

/** Spans of a line; `linkOf` says where a letter leads. */
export function spansOfLine(line: Line, linkOf: (rect: Rect) => string | undefined, before = ''): Span[] {
  const spans: { text: string; looks: Omit<Span, 'text'>; key: string }[] = [];
  let text = before;
  for (const { glyph, spaced } of wordsOf(line)) {
    const script = scriptOf(glyph, line);
    const link = linkOf(glyph);
    const looks: Omit<Span, 'text'> = {
      ...(glyph.field === undefined ? {} : { field: glyph.field }),
      ...(glyph.look.bold ? { bold: true } : {}),
      ...(glyph.look.italic ? { italic: true } : {}),
      ...(script === undefined ? {} : { script }),
      ...(link === undefined ? {} : { link }),
    };
    // Fields are spans of their own, also where two of them say the same.
    const key = glyph.field === undefined ? JSON.stringify(looks) : `field ${spans.length}`;
    const last = spans.at(-1);
    const letter = `${text}${spaced ? ' ' : ''}${glyph.text === EMPTY_FIELD ? '' : glyph.text}`;
    text = '';
    if (last?.key === key) last.text += letter;
    else if (last !== undefined && letter.startsWith(' ')) {
      last.text += ' ';
      spans.push({ text: letter.slice(1), looks, key });
    } else spans.push({ text: letter, looks, key });
  }
  return spans.map(({ text, looks }) => ({ text, ...looks }));
}

/** Neighbouring spans that look the same are one. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  const looks = ({ text: _text, ...rest }: Span) => JSON.stringify(rest);
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span.field === undefined && looks(last) === looks(span))
      joined[joined.length - 1] = { ...last, text: last.text + span.text };
    else joined.push(span);
  }
  return joined
    .map((span) => ({ ...span, text: span.text.toWellFormed().normalize('NFC') }))
    .filter(({ text, field }) => text !== '' || field !== undefined);
}
