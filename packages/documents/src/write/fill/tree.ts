import { DOMParser, type Element, type Node, type Text, XMLSerializer } from '@xmldom/xmldom';
import { ParseError } from '../../parse-error.ts';
import { XML_DECLARATION } from '../xml.ts';

// The tree of a part, which is written again with all that was not changed in it.

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
const CDATA_NODE = 4;

export const isElement = (node: Node | null): node is Element => node?.nodeType === ELEMENT_NODE;
const isText = (node: Node): node is Text => node.nodeType === TEXT_NODE || node.nodeType === CDATA_NODE;

/** Throws ParseError `CORRUPTED` for a part that is not well formed. */
export function parsePart(bytes: Uint8Array, name: string): Element {
  try {
    const parser = new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message);
      },
    });
    const root = parser.parseFromString(new TextDecoder().decode(bytes), 'text/xml').documentElement;
    if (root !== null) return root;
  } catch (error) {
    throw new ParseError('CORRUPTED', `The template is damaged at ${name}.`, { cause: error });
  }
  throw new ParseError('CORRUPTED', `The template is damaged: ${name} is empty.`);
}

export const serialize = (root: Element): string => XML_DECLARATION + new XMLSerializer().serializeToString(root);

export const childElements = (node: Node): readonly Element[] => [...node.childNodes].filter(isElement);

/** Elements below one, those of the given names not entered. */
export function* elementsBelow(node: Node, closed: ReadonlySet<string> = new Set()): Generator<Element> {
  for (const child of childElements(node)) {
    yield child;
    if (!closed.has(child.localName ?? '')) yield* elementsBelow(child, closed);
  }
}

export const named = (node: Node, name: string): readonly Element[] =>
  [...elementsBelow(node)].filter(({ localName }) => localName === name);
export const child = (node: Node, name: string): Element | undefined =>
  childElements(node).find(({ localName }) => localName === name);

/** An attribute by its name without a prefix; null where there is none. */
export function attribute(element: Element | undefined, name: string): string | null {
  for (const one of element?.attributes ?? []) if ((one.localName ?? one.name) === name) return one.value;
  return null;
}

/** Sets an attribute that is there, whatever its prefix; else one of this full name. */
export function setAttribute(element: Element, name: string, value: string): void {
  for (const one of element.attributes)
    if (one.name === name || one.localName === name.split(':').at(-1)) {
      one.value = value;
      return;
    }
  element.setAttribute(name, value);
}

/** Removes an attribute, whatever its prefix. */
export function removeAttribute(element: Element, name: string): void {
  const found = [...element.attributes].find((one) => (one.localName ?? one.name) === name);
  if (found !== undefined) element.removeAttributeNode(found);
}

/** What holds a paragraph of its own within another one. */
const inner = new Set(['p', 'tbl']);

/** Whether a node is still below this one. */
export function isBelow(node: Node, root: Node): boolean {
  for (let at: Node | null = node; at !== null; at = at.parentNode) if (at === root) return true;
  return false;
}

/** Letters of a paragraph itself, in their order: those of paragraphs within it are not its own. */
export function textsOf(paragraph: Element): readonly Text[] {
  const texts: Text[] = [];
  const walk = (node: Node, open: boolean): void => {
    for (const one of node.childNodes) {
      if (isText(one)) {
        if (open) texts.push(one);
      } else if (isElement(one) && !inner.has(one.localName ?? '')) walk(one, open || one.localName === 't');
    }
  };
  walk(paragraph, false);
  return texts;
}

/** A text without letters at the end of an element. */
export function appendText(element: Element): Text {
  const document = element.ownerDocument;
  if (document === null) throw new Error('an element without a document');
  const text = document.createTextNode('');
  element.appendChild(text);
  return text;
}

/** An element beside another one, of the same namespace and prefix. */
export function sibling(element: Element, name: string): Element {
  const prefix = element.prefix === null || element.prefix === '' ? '' : `${element.prefix}:`;
  const document = element.ownerDocument;
  if (document === null) throw new Error('an element without a document');
  return document.createElementNS(element.namespaceURI, `${prefix}${name}`);
}
