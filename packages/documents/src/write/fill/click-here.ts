import type { Element, Node, Text } from '@xmldom/xmldom';
import type { Lookup } from './data.ts';
import { forgetLines, replaceTexts } from './texts.ts';
import { appendText, attribute, childElements, elementsBelow, isElement, sibling } from './tree.ts';

/** A 누름틀 whose end was not met yet. */
interface OpenField {
  readonly id: string;
  readonly name: string;
  readonly value: unknown;
  readonly begun: Element;
  readonly texts: Text[];
  /** Breaks and blanks among its letters. */
  readonly signs: Element[];
  readonly paragraphs: Set<Element>;
}

const inner = new Set(['p', 'tbl']);
const signNames = new Set(['lineBreak', 'tab', 'nbSpace', 'fwSpace', 'hyphen']);

function collect(field: OpenField, holder: Element, paragraph: Element): void {
  field.paragraphs.add(paragraph);
  for (const node of holder.childNodes)
    if (node.nodeType === 3) field.texts.push(node as Text);
    else if (isElement(node) && signNames.has(node.localName ?? '')) field.signs.push(node);
}

/** Puts the value of a field where its letters were; `end`: the end of the field. */
function close(field: OpenField, end: Element, run: Element, lookup: Lookup): void {
  const { texts, signs, paragraphs } = field;
  const control = end.parentNode;
  // A field that is empty has no letters, or no place for them.
  if (texts.length === 0 && isElement(control) && control.parentNode === run) {
    const holder = sibling(control, 't');
    run.insertBefore(holder, control);
    texts.push(appendText(holder));
  }
  if (!replaceTexts(texts, lookup.shown(field.value), lookup)) return lookup.unfilled(field.name);
  for (const sign of signs) sign.parentNode?.removeChild(sign);
  for (const paragraph of paragraphs) forgetLines(paragraph);
}

/**
 * Fills 누름틀: what stands between the beginning and the end of a field with a name, which may be in another paragraph beside its own. Paragraphs are
 * given in their order.
 */
export function createClickHere(lookup: Lookup) {
  /** By what holds their paragraphs: the text, a cell, a box. */
  const open = new Map<Node | null, OpenField>();

  function begin(element: Element, paragraph: Element): void {
    const name = attribute(element, 'name') ?? '';
    if (name === '') return;
    const value = lookup.value(name, false);
    if (value === undefined) return lookup.unfilled(name);
    const around = open.get(paragraph.parentNode);
    if (around !== undefined) lookup.unfilled(around.name);
    const id = attribute(element, 'id') ?? '';
    const paragraphs = new Set([paragraph]);
    open.set(paragraph.parentNode, { id, name, value, begun: paragraph, texts: [], signs: [], paragraphs });
  }

  const isEndOf = (field: OpenField, element: Element, paragraph: Element): boolean =>
    (attribute(element, 'beginIDRef') ?? (field.begun === paragraph ? field.id : null)) === field.id;

  return {
    paragraph(paragraph: Element): void {
      const flow = paragraph.parentNode;
      for (const run of childElements(paragraph).filter(({ localName }) => localName === 'run'))
        for (const element of elementsBelow(run, inner)) {
          const { localName } = element;
          if (localName === 'fieldBegin' && attribute(element, 'type') === 'CLICK_HERE') begin(element, paragraph);
          const field = open.get(flow);
          if (field === undefined) continue;
          if (localName === 't') collect(field, element, paragraph);
          if (localName === 'fieldEnd' && isEndOf(field, element, paragraph)) {
            open.delete(flow);
            field.paragraphs.add(paragraph);
            close(field, element, run, lookup);
          }
        }
    },
    /** Names the fields that have no end. */
    end(): void {
      for (const { name } of open.values()) lookup.unfilled(name);
    },
  };
}
