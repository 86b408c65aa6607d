import { textOf, type Block, type Heading, type List, type ListItem } from '../document.ts';
import { isContentsLine, markerOf } from '../text/korean-headings.ts';
import type { FlowItem, Line, Mark } from './flow-items.ts';
import { bannerText, levelsOf, MAX_HEADING_LENGTH } from './line-levels.ts';
import { withCaptions, withRoles } from './line-roles.ts';
import { trimSpans } from './spans.ts';

const placeOf = ({ page, source, hidden }: Line) => ({
  page,
  ...(source === undefined ? {} : { source }),
  ...(hidden ? { hidden } : {}),
});

const markerField = (marker: string | undefined) => (marker === undefined || marker === '' ? {} : { marker });

/** A heading that was a table of one row. */
function bannerHeading(block: Block, level: number, text: string): Heading {
  const marker = markerOf(text)?.text ?? /^\S{1,4}(?=\s)/.exec(text)?.[0];
  const source = block.source === undefined ? {} : { source: block.source };
  return { type: 'heading', level, page: block.page, ...source, spans: [{ text }], ...markerField(marker) };
}

function headingOf(line: Line, level: number): Heading {
  const spans = trimSpans(line.spans);
  const number = line.mark?.text ?? '';
  return {
    type: 'heading',
    level,
    ...placeOf(line),
    ...markerField(number === '' ? markerOf(textOf(spans))?.text : number),
    spans: number === '' ? spans : [{ text: `${number} ` }, ...spans],
  };
}

/** A line that is neither a heading nor in a list. */
function paragraphOf(line: Line): Block {
  const place = placeOf(line);
  if (line.code) return { type: 'code', ...place, text: textOf(line.spans) };
  const spans = trimSpans(line.spans);
  const [only] = spans;
  if (spans.length === 1 && only?.math) return { type: 'equation', ...place, latex: only.text };
  const text = textOf(spans);
  const isEntry = text.length <= MAX_HEADING_LENGTH && isContentsLine(text);
  const role = line.role ?? (isEntry ? 'contents' : undefined);
  return { type: 'paragraph', ...place, ...(role === undefined ? {} : { role }), spans };
}

/** Collects neighbouring lines with marks; a list ends with its page, so that each part knows where it stands. */
function createLists(blocks: Block[]) {
  let open: { readonly first: Line; readonly items: ListItem[] } | null = null;
  return {
    close: (): void => {
      open = null;
    },
    add: (line: Line, mark: Mark): void => {
      const first = open?.first;
      const isNew = mark.level === 0 && first?.mark?.list !== mark.list;
      if (open === null || isNew || first?.page !== line.page || (first.hidden ?? false) !== (line.hidden ?? false)) {
        open = { first: line, items: [] };
        const list: List = { type: 'list', ...placeOf(line), items: open.items };
        blocks.push(list);
      }
      open.items.push({ level: mark.level, marker: mark.text, ordered: mark.ordered, spans: trimSpans(line.spans) });
    },
  };
}

/**
 * Makes blocks of lines: headings, lists, paragraphs, programs. Empty lines fall away. `outlined`: the file itself says which lines are
 * headings and captions.
 */
export function assembleFlow(
  given: readonly FlowItem[],
  { headings = false, outlined = false }: { readonly headings?: boolean; readonly outlined?: boolean } = {},
): Block[] {
  const items = withCaptions(headings && !outlined ? withRoles(given) : given, outlined);
  const levels = headings ? levelsOf(items, outlined) : new Map<FlowItem, number>();
  const blocks: Block[] = [];
  const lists = createLists(blocks);
  for (const item of items) {
    const level = levels.get(item);
    if (item.type === 'line' && level === undefined && item.mark !== undefined && item.role === undefined) {
      lists.add(item, item.mark);
      continue;
    }
    // A note does not end the list that it belongs to.
    if (item.type !== 'footnote') lists.close();
    if (item.type === 'line') {
      const block = level === undefined ? paragraphOf(item) : headingOf(item, level);
      const last = blocks.at(-1);
      if (block.type === 'code' && last?.type === 'code')
        blocks.splice(-1, 1, { ...last, text: `${last.text}\n${block.text}` });
      else blocks.push(block);
    } else {
      const banner = level === undefined ? null : bannerText(item);
      blocks.push(banner === null || level === undefined ? item : bannerHeading(item, level, banner));
    }
  }
  return blocks;
}
