import type { Nodes, Root } from 'mdast';

const lineBreak = /^<br\s*\/?>$/i;

function replaceHtml(node: Nodes): void {
  if (!('children' in node)) return;
  for (const [at, child] of node.children.entries()) {
    if (child.type !== 'html') replaceHtml(child);
    else
      node.children[at] = lineBreak.test(child.value.trim()) ? { type: 'break' } : { type: 'text', value: child.value };
  }
}

/** HTML in a text is shown as it is written; line breaks in tables, which Markdown cannot write, are made. */
export const htmlAsText = () => (tree: Root) => replaceHtml(tree);
