import { textOf, type Block } from '../document.ts';
import { contentsEntries, titleOf } from '../readers/hwp/headings.ts';
import type { TextItem } from '../readers/hwp/session.ts';
import type { FlowItem, Line } from './flow-items.ts';
import { trimSpans } from './spans.ts';

const captionWords = /^\s*[<[(【〈]?\s*(?:그림|표|사진|도표|차트|figure|table|fig\.|chart)\s*(?:\d|[IVX]+\b|[<[(]?\d)/i;

/** Puts captions to the table or picture that they stand beside; `outlined`: those alone that the file calls captions. */
export function withCaptions(items: readonly FlowItem[], outlined = false): readonly FlowItem[] {
  const result: FlowItem[] = [];
  const takes = (item: FlowItem | undefined): item is Block & { readonly type: 'table' | 'image' } =>
    (item?.type === 'table' || item?.type === 'image') && item.caption === undefined;
  let skip = false;
  const full = items.filter((item) => item.type !== 'line' || textOf(item.spans).trim() !== '');
  for (const [at, item] of full.entries()) {
    if (skip) {
      skip = false;
      continue;
    }
    const text = item.type === 'line' ? textOf(item.spans) : '';
    const words = !outlined && captionWords.test(text) && text.length <= 120;
    const isCaption =
      item.type === 'line' && item.level === undefined && item.mark === undefined && (item.caption === true || words);
    if (!isCaption) {
      result.push(item);
      continue;
    }
    const [before, next] = [result.at(-1), full[at + 1]];
    const caption = trimSpans(item.spans);
    // Files that are written here have those of tables above them.
    const isAbove = outlined && next?.type === 'table' && before?.type !== 'image';
    const ofTable = isAbove || /^\s*[<[(【〈]?\s*(?:표|도표|table)/i.test(text);
    if (takes(next) && (ofTable || !takes(before))) {
      result.push({ ...next, caption });
      skip = true;
    } else if (takes(before)) result.splice(-1, 1, { ...before, caption });
    else result.push(item);
  }
  return result;
}

/** Gives the title and the entries of lists of contents that the file does not name their part, by their words and letters. */
export function withRoles(items: readonly FlowItem[]): readonly FlowItem[] {
  const lines = new Map<TextItem, Line>();
  for (const line of items) {
    if (line.type !== 'line' || textOf(line.spans).trim() === '') continue;
    const { spans, mark = null, level = null, size = 20, bold = false, hidden = false, page } = line;
    const shown = mark === null ? null : { text: mark.text, ordered: mark.ordered, level: mark.level };
    const styleName = '';
    lines.set({ kind: 'text', spans, mark: shown, given: level, styleName, size, bold, hidden, page }, line);
  }
  const texts = [...lines.keys()];
  const roles = new Map<FlowItem, NonNullable<Line['role']>>();
  for (const entry of contentsEntries(texts)) {
    const line = lines.get(entry as TextItem);
    if (line !== undefined && line.level === undefined) roles.set(line, 'contents');
  }
  const named = items.some((item) => item.type === 'line' && item.role === 'title');
  const title = named ? null : titleOf(texts);
  const titled = title === null ? undefined : lines.get(title);
  if (titled !== undefined && titled.role === undefined && titled.mark === undefined) roles.set(titled, 'title');
  if (roles.size === 0) return items;
  return items.map((item) => {
    const role = roles.get(item);
    return role === undefined || item.type !== 'line' ? item : { ...item, role };
  });
}
