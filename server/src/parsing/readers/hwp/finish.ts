import type { Block, ListItem, Span } from '../../document.ts';
import { headingLevels, isContentsLine, isContentsTitle } from '../../text/korean-headings.ts';
import type { Candidate } from '../../text/korean-headings.ts';
import type { Item, TextItem } from './session.ts';

type Levels = (item: Item) => number | null;

const noHeadings: Levels = () => null;
const contentsStyle = /^(?:차례|목차|toc)/iu;
const titleStyle = /^(?:제목|문서 제목|title)$/iu;
const subtitleStyle = /^(?:부제목?|subtitle)$/iu;

const plainText = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('');

const isContents = (item: TextItem): boolean =>
  (contentsStyle.test(item.styleName) && !isContentsTitle(plainText(item.spans))) ||
  isContentsLine(plainText(item.spans));

/** The number before a paragraph as a part of its text. */
const withMark = ({ mark, spans }: TextItem): readonly Span[] =>
  mark === null || mark.text === '' ? spans : [{ text: `${mark.text} ` }, ...spans];

const base = ({ page, hidden }: TextItem) => ({ page, ...(hidden ? { hidden: true } : {}) });

const paragraphOf = (item: TextItem): Block => {
  const [only] = item.spans;
  if (item.spans.length === 1 && only!.math === true && item.mark === null)
    return { type: 'equation', ...base(item), latex: only!.text };
  const role = isContents(item)
    ? 'contents'
    : titleStyle.test(item.styleName)
      ? 'title'
      : subtitleStyle.test(item.styleName)
        ? 'subtitle'
        : null;
  return { type: 'paragraph', ...base(item), spans: withMark(item), ...(role === null ? {} : { role }) };
};

const listItemOf = ({ mark, spans }: TextItem): ListItem => ({
  level: mark!.level,
  marker: mark!.text,
  ordered: mark!.ordered,
  spans,
});

/** Items as blocks; neighbouring paragraphs with numbers or bullets become one list. */
export const finish = (items: readonly Item[], levels: Levels = noHeadings): Block[] => {
  const blocks: Block[] = [];
  let open: { items: ListItem[]; first: TextItem } | null = null;
  const close = (): void => {
    if (open !== null) blocks.push({ type: 'list', ...base(open.first), items: open.items });
    open = null;
  };
  for (const item of items) {
    const level = levels(item);
    if (level === null && item.kind === 'text' && item.mark !== null && item.mark.text !== '' && !isContents(item)) {
      if (open !== null && open.first.hidden !== item.hidden) close();
      open ??= { items: [], first: item };
      open.items.push(listItemOf(item));
      continue;
    }
    close();
    if (item.kind === 'block' && level !== null)
      blocks.push({ type: 'heading', level, page: item.block.page, spans: item.banner!.spans });
    else if (item.kind === 'block') blocks.push(item.block);
    else if (level === null) blocks.push(paragraphOf(item));
    else
      blocks.push({
        type: 'heading',
        ...base(item),
        level,
        ...(item.mark === null || item.mark.text === '' ? {} : { marker: item.mark.text }),
        spans: withMark(item),
      });
  }
  close();
  return blocks;
};

/** Size of most letters of the running text. */
const bodySize = (items: readonly Item[]): number => {
  const sizes = new Map<number, number>();
  for (const item of items)
    if (item.kind === 'text')
      sizes.set(item.size, (sizes.get(item.size) ?? 0) + item.spans.reduce((sum, { text }) => sum + text.length, 0));
  return [...sizes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 1000;
};

/** Items of the body as blocks, with those that read like headings of Korean documents as headings. */
export const finishBody = (items: readonly Item[]): Block[] => {
  const standard = Math.max(1, bodySize(items));
  const possible = items.filter((item) =>
    item.kind === 'block' ? item.banner !== undefined : !isContents(item) && !titleStyle.test(item.styleName),
  );
  const candidates = possible.map((item): Candidate => {
    const { spans, size, bold } = item.kind === 'text' ? item : item.banner!;
    return {
      text: plainText(item.kind === 'text' ? withMark(item) : spans),
      scale: size / standard,
      bold,
      ...(item.kind === 'text' && item.given !== null ? { given: item.given } : {}),
      ...(item.kind === 'block' ? { banner: true } : {}),
    };
  });
  const found = headingLevels(candidates);
  const levels = new Map(possible.map((item, index) => [item, found[index] ?? null]));
  return finish(items, (item) => levels.get(item) ?? null);
};
