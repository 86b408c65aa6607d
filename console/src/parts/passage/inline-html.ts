import type { Nodes, Root, RootContent } from 'mdast';

const LINE_BREAK = /^<br\s*\/?>$/i;
/** Elements within a line that documents are written with, and what they are drawn as. */
const ELEMENT = /^<(sub|sup|b|strong|i|em|u|s|del|mark)\s*>$/i;
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<\/?[a-z][^<>]*(?:>|$)/gi;

/** Draws the elements of a line, from their begin to their end beside each other; takes all other tags away. */
function drawHtml(node: Nodes): void {
  if (!('children' in node)) return;
  const children = node.children as RootContent[];
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at];
    if (child === undefined) continue;
    if (child.type !== 'html') {
      drawHtml(child);
      continue;
    }
    const value = child.value.trim();
    const name = ELEMENT.exec(value)?.[1]?.toLowerCase();
    const end =
      name === undefined
        ? -1
        : children.findIndex(
            (one, place) => place > at && one.type === 'html' && one.value.toLowerCase() === `</${name}>`,
          );
    if (LINE_BREAK.test(value)) children[at] = { type: 'break' };
    else if (name !== undefined && end !== -1) {
      const inner = children.slice(at + 1, end);
      const element: RootContent = { type: 'emphasis', data: { hName: name }, children: inner as never };
      children.splice(at, end - at + 1, element);
      drawHtml(element);
    } else {
      const text = child.value.replaceAll(MARKUP, ' ').trim();
      const isBlock = node.type === 'root' || node.type === 'blockquote' || node.type === 'listItem';
      children[at] = isBlock
        ? { type: 'paragraph', children: [{ type: 'text', value: text }] }
        : { type: 'text', value: text };
    }
  }
}

/** In passages of documents HTML is what it means, as far as a line of text has it; of all else only its words stay. */
export const inlineHtml = () => (tree: Root) => drawHtml(tree);
