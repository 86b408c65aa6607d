import { dateLine } from '@ai-studio/contract/utilities/date-line.ts';
import type { List, ListItem, Paragraph, Root, RootContent } from 'mdast';

type Parent = Extract<Root | RootContent, { children: unknown }>;

/** The item as it is written; its lines below the first without the blanks before them. */
const writtenOf = (item: ListItem, source: string): string =>
  source
    .slice(item.position?.start.offset ?? 0, item.position?.end.offset ?? 0)
    .replaceAll(/\n[ \t]+/g, '\n')
    .trim();

const asParagraph = (value: string): Paragraph => ({ type: 'paragraph', children: [{ type: 'text', value }] });

/** A list without the items that are lines with dates, which stand between its parts as paragraphs. */
function parted(list: List, source: string): RootContent[] {
  const parts: RootContent[] = [];
  let items: ListItem[] = [];
  const close = () => {
    const [first] = items;
    // It goes on with the number that is written there.
    const start = first === undefined ? Number.NaN : Number.parseInt(writtenOf(first, source), 10);
    if (first !== undefined)
      parts.push({ ...list, start: Number.isNaN(start) ? (list.start ?? 1) : start, children: items });
    items = [];
  };
  for (const item of list.children) {
    const written = writtenOf(item, source);
    if (dateLine.test(written)) {
      close();
      parts.push(asParagraph(written));
    } else items.push(item);
  }
  close();
  return parts;
}

function visit(node: Parent, source: string): void {
  const children = (node.children as RootContent[]).flatMap((child) =>
    child.type === 'list' && child.ordered === true ? parted(child, source) : [child],
  );
  node.children = children as never;
  for (const child of children) if ('children' in child) visit(child, source);
}

/** A line such as `2025. 11. 28.` is a date, where Markdown has a list within a list within a list. */
export const datesAsText = () => (tree: Root, file: { readonly value: unknown }) => visit(tree, String(file.value));
