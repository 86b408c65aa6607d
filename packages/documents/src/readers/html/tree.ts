import type { DefaultTreeAdapterTypes } from 'parse5';

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

export const isElement = (node: Node): node is Element => 'tagName' in node;
export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text';

export const childrenOf = (node: Parent | Node): readonly Node[] => ('childNodes' in node ? node.childNodes : []);

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value;

/** Descendant elements in document order; without recursion, because pages nest as deep as they like. */
export function* descendants(root: Parent | Node): Generator<Element> {
  const stack = [...childrenOf(root)].toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let at = node.childNodes.length - 1; at >= 0; at--) {
      const child = node.childNodes[at];
      if (child !== undefined) stack.push(child);
    }
  }
}

/** What holds no text for people. */
export const skippedTags: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'svg',
  'canvas',
  'iframe',
  'object',
  'head',
  'meta',
  'link',
  'audio',
  'video',
  'map',
  'datalist',
  // How letters are spoken: it would stand within their words.
  'rp',
  'rt',
  'rtc',
]);

/** Text of all descendants with white space collapsed; without recursion. */
export function textContent(root: Parent | Node): string {
  const parts: string[] = [];
  const stack: Node[] = [...childrenOf(root)].toReversed();
  if ('nodeName' in root && isText(root as Node)) return (root as DefaultTreeAdapterTypes.TextNode).value;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (isText(node)) parts.push(node.value);
    else if (isElement(node) && !skippedTags.has(node.tagName)) {
      if (!inlineElements.has(node.tagName)) parts.push('\n');
      for (let at = node.childNodes.length - 1; at >= 0; at--) {
        const child = node.childNodes[at];
        if (child !== undefined) stack.push(child);
      }
    }
  }
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}

/** Elements that stand within a line. */
export const inlineElements: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big br button cite code data del dfn em font i img input ins kbd label mark meter noscript output picture progress q rp rt ruby s samp select small span strike strong sub sup time tt u var wbr math'.split(
    ' ',
  ),
);
