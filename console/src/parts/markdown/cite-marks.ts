import type { Nodes, Root, RootContent, PhrasingContent } from 'mdast';

/** How a mark of a source is addressed in the tree: sanitising leaves it alone, and no page has such a place. */
export const CITATION_HREF = '#cited-source-';

const mark = /\[(\d{1,4})\]/g;

/** The pieces of a text: marks of the sources there are, and what stands between. */
function splitAtMarks(text: string, known: ReadonlySet<number>): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let from = 0;
  for (const found of text.matchAll(mark)) {
    const number = Number(found[1]);
    if (!known.has(number)) continue;
    if (found.index > from) parts.push({ type: 'text', value: text.slice(from, found.index) });
    parts.push({ type: 'link', url: `${CITATION_HREF}${number}`, children: [{ type: 'text', value: String(number) }] });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ type: 'text', value: text.slice(from) });
  return parts;
}

function linkMarks(node: Nodes, known: ReadonlySet<number>): void {
  // What is a link already stays one.
  if (!('children' in node) || node.type === 'link' || node.type === 'linkReference') return;
  const children = node.children as RootContent[];
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at];
    if (child === undefined) continue;
    if (child.type === 'text') {
      const parts = splitAtMarks(child.value, known);
      children.splice(at, 1, ...parts);
      at += parts.length - 1;
    } else linkMarks(child, known);
  }
}

/** Makes [1] in a text a mark of the first source, where there is one. */
export const citeMarks =
  ({ numbers }: { readonly numbers: ReadonlySet<number> }) =>
  (tree: Root) =>
    linkMarks(tree, numbers);
