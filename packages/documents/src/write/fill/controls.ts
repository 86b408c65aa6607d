import type { Element, Node, Text } from '@xmldom/xmldom';
import { isTicked, type Lookup } from './data.ts';
import { forgetLines, replaceTexts } from './texts.ts';
import {
  appendText,
  attribute,
  child,
  childElements,
  elementsBelow,
  isElement,
  named,
  setAttribute,
  sibling,
  textsOf,
} from './tree.ts';

// Fields that the program itself knows by name: content controls of Word, and 누름틀 and the boxes of forms of Hancom Office.

/** Letters below an element. */
const lettersOf = (element: Element): readonly Text[] => {
  const paragraphs = named(element, 'p');
  return paragraphs.length === 0 ? textsOf(element) : paragraphs.flatMap(textsOf);
};

const signOf = (state: Element | undefined, otherwise: string): string => {
  const code = Number.parseInt(attribute(state, 'val') ?? '', 16);
  return code > 0 && code < 0x11_0000 ? String.fromCodePoint(code) : otherwise;
};

/** A place for letters where a control has none, as programs leave it when its text was deleted. */
function emptyText(content: Element): Text | null {
  const below = [...elementsBelow(content)];
  const first = (name: string): Element | undefined => below.find(({ localName }) => localName === name);
  const around = content.parentNode?.parentNode ?? null;
  const paragraph = first('p') ?? (isElement(around) && around.localName === 'p' ? content : undefined);
  if (paragraph === undefined) return null;
  const within = (outer: Element, name: string): Element => {
    const made = sibling(content, name);
    outer.appendChild(made);
    return made;
  };
  const holder = first('t') ?? within(first('r') ?? within(paragraph, 'r'), 't');
  return appendText(holder);
}

/** A content control. Source: ECMA-376 part 1, 17.5.2; MS-DOCX 2.5. */
function fillControl(sdt: Element, lookup: Lookup): void {
  const [properties, content] = [child(sdt, 'sdtPr'), child(sdt, 'sdtContent')];
  if (properties === undefined || content === undefined) return;
  const name = attribute(child(properties, 'tag'), 'val') ?? attribute(child(properties, 'alias'), 'val') ?? '';
  const value = name === '' ? undefined : lookup.value(name, false);
  if (value === undefined) return;
  const box = child(properties, 'checkbox');
  const letters = lettersOf(content);
  const empty = letters.length === 0 ? emptyText(content) : null;
  const texts = empty === null ? letters : [empty];
  if (box === undefined) {
    replaceTexts(texts, lookup.shown(value), lookup);
    const hint = child(properties, 'showingPlcHdr');
    if (hint !== undefined) properties.removeChild(hint);
    return;
  }
  const ticked = isTicked(value, null);
  const state = child(box, 'checked');
  if (state !== undefined) setAttribute(state, 'val', ticked ? '1' : '0');
  const sign = ticked ? signOf(child(box, 'checkedState'), '☒') : signOf(child(box, 'uncheckedState'), '☐');
  replaceTexts(texts, sign, lookup);
}

/** 누름틀: what stands between the beginning and the end of a field with a name. */
function fillClickHere(paragraph: Element, lookup: Lookup): void {
  let open: { readonly id: string; readonly value: string; readonly texts: Text[] } | null = null;
  for (const run of childElements(paragraph).filter(({ localName }) => localName === 'run'))
    for (const element of elementsBelow(run, new Set(['p', 'tbl']))) {
      const { localName } = element;
      if (localName === 'fieldBegin' && attribute(element, 'type') === 'CLICK_HERE') {
        const name = attribute(element, 'name') ?? '';
        const value = name === '' ? undefined : lookup.value(name, false);
        if (value !== undefined) open = { id: attribute(element, 'id') ?? '', value: lookup.shown(value), texts: [] };
      } else if (localName === 't' && open !== null)
        for (const node of element.childNodes) if (node.nodeType === 3) open.texts.push(node as Text);
      if (localName === 'fieldEnd' && open !== null && (attribute(element, 'beginIDRef') ?? open.id) === open.id) {
        const control = element.parentNode;
        // A field that is empty has no letters, or no place for them.
        if (open.texts.length === 0 && isElement(control) && control.parentNode === run) {
          const holder = sibling(control, 't');
          run.insertBefore(holder, control);
          open.texts.push(appendText(holder));
        }
        if (replaceTexts(open.texts, open.value, lookup)) forgetLines(paragraph);
        open = null;
      }
    }
}

/** Boxes and lists of forms. Source: KS X 6101. */
function fillFormObject(element: Element, lookup: Lookup): void {
  const name = attribute(element, 'name') ?? '';
  const group = attribute(element, 'radioGroupName') ?? '';
  const option = attribute(element, 'caption') ?? attribute(element, 'captionText') ?? '';
  const ofGroup = element.localName === 'radioBtn' && group !== '' ? lookup.value(group, false) : undefined;
  const value = name === '' ? undefined : lookup.value(name, false);
  if (element.localName === 'checkBtn' || element.localName === 'radioBtn') {
    if (ofGroup === undefined && value === undefined) return;
    const ticked = ofGroup === undefined ? isTicked(value, null) : isTicked(ofGroup, option) || isTicked(ofGroup, name);
    setAttribute(element, 'value', ticked ? 'CHECKED' : 'UNCHECKED');
    return;
  }
  if (value === undefined) return;
  if (element.localName === 'comboBox' || element.localName === 'listBox')
    setAttribute(element, 'selectedValue', lookup.shown(value));
  const text = child(element, 'text');
  if (text !== undefined) text.textContent = lookup.shown(value);
}
const formObjects = new Set(['checkBtn', 'radioBtn', 'comboBox', 'listBox', 'edit']);

/** Fills the fields with a name that are not `done`; data that has none of their names leaves them as they are. */
export function fillControls(root: Node, lookup: Lookup, done: WeakSet<Element>): void {
  // All of them first: what is filled changes what lies below.
  const elements = Array.from(elementsBelow(root));
  for (const element of elements) {
    if (done.has(element)) continue;
    done.add(element);
    const { localName } = element;
    if (localName === 'sdt') fillControl(element, lookup);
    else if (formObjects.has(localName ?? '')) fillFormObject(element, lookup);
    else if (localName === 'p') fillClickHere(element, lookup);
  }
}
