import type { Block, Box, ListItem } from '../../document.ts';
import { bodyLevels, contentsEntries, givenLevels, isCode, isContents, roleOf, titleOf, withMark } from './headings.ts';
import { around } from './places.ts';
import type { Item, TextItem } from './session.ts';
import { append } from '../../package/append.ts';

interface Found {
  readonly levels: ReadonlyMap<Item, number>;
  readonly title: TextItem | null;
  readonly contents: ReadonlySet<Item>;
}

const noHeadings: Found = { levels: new Map(), title: null, contents: new Set() };

const blockBase = ({ page, hidden, box }: TextItem) => ({
  page,
  ...(box === undefined ? {} : { box }),
  ...(hidden ? { hidden: true } : {}),
});

/** The box of a list: that of all its items, where each has one. */
const listBox = (items: readonly TextItem[]): { readonly box?: Box } => {
  let box: Box | null = null;
  for (const item of items) {
    if (item.box === undefined) return {};
    box = around(box, item.box);
  }
  return box === null ? {} : { box };
};

const paragraphOf = (item: TextItem, known: 'title' | 'contents' | null): Block => {
  if (isCode(item) && known === null)
    return { type: 'code', ...blockBase(item), text: item.spans.map(({ text }) => text).join('') };
  const [only] = item.spans;
  if (item.spans.length === 1 && only!.math === true && item.mark === null)
    return { type: 'equation', ...blockBase(item), latex: only!.text };
  const role = known ?? roleOf(item);
  return { type: 'paragraph', ...blockBase(item), spans: withMark(item), ...(role === null ? {} : { role }) };
};

const headingOf = (item: Item, level: number): Block[] => {
  if (item.kind === 'block')
    return [
      {
        type: 'heading',
        level,
        page: item.block.page,
        ...(item.block.box === undefined ? {} : { box: item.block.box }),
        spans: item.banner!.spans,
      },
      ...item.banner!.rest,
    ];
  const marker = item.mark === null || item.mark.text === '' ? {} : { marker: item.mark.text };
  return [{ type: 'heading', ...blockBase(item), level, ...marker, spans: withMark(item) }];
};

const listItemOf = ({ mark, spans }: TextItem): ListItem => ({
  level: mark!.level,
  marker: mark!.text,
  ordered: mark!.ordered,
  ...(mark!.checked === undefined ? {} : { checked: mark!.checked }),
  spans,
});

const isListItem = (item: Item): item is TextItem =>
  item.kind === 'text' && item.mark !== null && item.mark.text !== '' && !isContents(item);

/** Items as blocks; neighbouring paragraphs with numbers or bullets become one list. */
export const blocksOfItems = (items: readonly Item[], { levels, title, contents }: Found = noHeadings): Block[] => {
  const blocks: Block[] = [];
  let open: { items: ListItem[]; texts: TextItem[]; first: TextItem; notes: Block[] } | null = null;
  const close = (): void => {
    if (open !== null) {
      const { box: _, ...base } = blockBase(open.first);
      blocks.push({ type: 'list', ...base, ...listBox(open.texts), items: open.items }, ...open.notes);
    }
    open = null;
  };
  for (const item of items) {
    const level = levels.get(item);
    if (level === undefined && isListItem(item) && !contents.has(item)) {
      // A list ends with its page, so that each part knows where it stands.
      if (open !== null && (open.first.hidden !== item.hidden || open.first.page !== item.page)) close();
      open ??= { items: [], texts: [], first: item, notes: [] };
      open.texts.push(item);
      open.items.push(listItemOf(item));
      continue;
    }
    // A note does not end the list that it belongs to.
    if (open !== null && item.kind === 'block' && item.block.type === 'footnote') {
      open.notes.push(item.block);
      continue;
    }
    close();
    if (level !== undefined) append(blocks, headingOf(item, level));
    else if (item.kind === 'block') blocks.push(item.block);
    else blocks.push(paragraphOf(item, item === title ? 'title' : contents.has(item) ? 'contents' : null));
  }
  close();
  return blocks;
};

/**
 * Items of the body as blocks, with those that read like headings of Korean documents as headings. `outlined`: the document says all its
 * headings itself.
 */
export const blocksOfBody = (items: readonly Item[], { outlined = false } = {}): Block[] => {
  if (outlined) return blocksOfItems(items, { levels: givenLevels(items), title: null, contents: new Set() });
  const title = titleOf(items);
  const contents = contentsEntries(items);
  return blocksOfItems(items, { levels: bodyLevels(items, title, contents), title, contents });
};
