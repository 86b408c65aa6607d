import { textOf } from '../document.ts';
import { headingLevels, type Candidate } from '../text/korean-headings.ts';
import type { FlowItem, Line, Mark } from './flow-items.ts';

/** Longer ones are text, whatever their style says. */
export const MAX_HEADING_LENGTH = 200;

/** Size of most letters. */
function bodySize(lines: readonly Line[]): number | null {
  const letters = new Map<number, number>();
  for (const { size, spans } of lines) {
    if (size !== undefined) letters.set(size, (letters.get(size) ?? 0) + textOf(spans).length);
  }
  let best: number | null = null;
  for (const [size, count] of letters) if (count > (best === null ? -1 : (letters.get(best) ?? 0))) best = size;
  return best;
}

/** The words of a table that stands for a title: one cell, or a number beside a title. Null for any other. */
export function bannerText(block: FlowItem): string | null {
  if (block.type !== 'table' || block.rows !== 1 || block.cells.length > 3) return null;
  const texts: string[] = [];
  for (const { blocks } of block.cells) {
    if (blocks.length > 1) return null;
    const [only] = blocks;
    if (only === undefined) continue;
    if (only.type !== 'paragraph' && only.type !== 'heading') return null;
    const text = textOf(only.spans).trim();
    if (text !== '') texts.push(text);
  }
  const [first = '', second = ''] = texts;
  if (texts.length === 1) return first.length <= 60 ? first : null;
  const numbered = /^(?:\d{1,2}|[Ⅰ-Ⅻ]|[IVX]{1,4}|[가-하])[.)]?$/.test(first);
  return texts.length === 2 && numbered && second.length <= 60 ? `${first} ${second}` : null;
}

/** True when a line may be a heading by its words alone. */
const mayHead = ({ spans, caption, role, hidden, code, mark }: Line): boolean =>
  !caption &&
  role === undefined &&
  !hidden &&
  !code &&
  mark?.ordered !== false &&
  textOf(spans).length <= MAX_HEADING_LENGTH &&
  /[\p{L}\p{N}]/u.test(textOf(spans)) &&
  spans.every((span) => span.link === undefined && span.field === undefined && span.math !== true);

/** The next thing that is not an empty line. */
function nextOf(items: readonly FlowItem[], from: number): FlowItem | undefined {
  for (let at = from; at < Math.min(items.length, from + 20); at++) {
    const item = items[at];
    if (item !== undefined && (item.type !== 'line' || textOf(item.spans).trim() !== '')) return item;
  }
  return undefined;
}

/** True when what follows is what a title is about. */
const isBody = (next: FlowItem | undefined): boolean =>
  next?.type !== 'line' || next.mark !== undefined || (!next.bold && textOf(next.spans).length >= 15);

/** True when a numbered line is one of several points, with nothing below it. */
const isPoint = (mark: Mark, next: FlowItem | undefined): boolean =>
  next === undefined || (next.type === 'line' && next.mark !== undefined && next.mark.level <= mark.level);

/** Heading levels by item; what the file says is believed alone where it says anything, or is known to say all. */
export function levelsOf(items: readonly FlowItem[], outlined = false): ReadonlyMap<FlowItem, number> {
  const lines = items.filter((item): item is Line => item.type === 'line' && textOf(item.spans).trim() !== '');
  const levels = new Map<FlowItem, number>();
  for (const line of lines) {
    if (line.level !== undefined && textOf(line.spans).length <= MAX_HEADING_LENGTH && line.role === undefined)
      levels.set(line, Math.min(6, Math.max(1, line.level)));
  }
  if (levels.size > 0 || outlined) return levels;
  const body = bodySize(lines);
  const bold = lines.filter((line) => line.bold).length;
  const candidates: Candidate[] = [];
  const of: FlowItem[] = [];
  for (const [at, item] of items.entries()) {
    const banner = bannerText(item);
    if (banner !== null) {
      candidates.push({ text: banner, banner: true });
      of.push(item);
    } else if (item.type === 'line' && mayHead(item)) {
      const next = nextOf(items, at + 1);
      if (item.mark !== undefined && isPoint(item.mark, next)) continue;
      // Where much is bold, or bold lines follow each other, it says nothing.
      const stands = item.bold && bold * 4 <= lines.length && isBody(next);
      const text = item.mark === undefined ? textOf(item.spans) : `${item.mark.text} ${textOf(item.spans)}`;
      candidates.push({
        text,
        ...(item.size === undefined || body === null ? {} : { scale: item.size / body }),
        ...(stands ? { bold: true } : {}),
      });
      of.push(item);
    }
  }
  for (const [at, level] of headingLevels(candidates).entries()) {
    const item = of[at];
    if (level !== null && item !== undefined) levels.set(item, level);
  }
  return levels;
}
