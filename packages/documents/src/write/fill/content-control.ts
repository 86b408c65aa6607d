import type { Element, Text } from '@xmldom/xmldom';
import type { Lookup } from './data.ts';
import { entryOf } from './entries.ts';
import { replaceTexts } from './texts.ts';
import {
  appendText,
  attribute,
  child,
  childElements,
  elementsBelow,
  isElement,
  named,
  removeAttribute,
  setAttribute,
  sibling,
  textsOf,
} from './tree.ts';

// Content controls of Word. Source: ECMA-376 part 1, 17.5.2; MS-DOCX 2.5.

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

/** Controls that hold parts of a document, and are no places for a value. */
const holders = new Set([
  'docPartObj',
  'docPartList',
  'group',
  'citation',
  'bibliography',
  'equation',
  'picture',
  'repeatingSection',
  'repeatingSectionItem',
]);

/** What else a control says of its value is as old as the text that was there: Word would show that again. */
function forgetOldValue(properties: Element): void {
  for (const one of childElements(properties))
    if (one.localName === 'showingPlcHdr' || one.localName === 'dataBinding') properties.removeChild(one);
}

/** A day as people and programs write it; null for other texts. */
function dayOf(text: string): string | null {
  const [, year = '', month = '', day = ''] =
    /^\s*(\d{4})\s?[-./년]\s?(\d{1,2})\s?[-./월]\s?(\d{1,2})(?:\s?[.일])?(?:T[\d:.]*Z?)?\s*$/.exec(text) ?? [];
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(iso) ? iso : null;
}

const setOrRemove = (element: Element, name: string, value: string | null): void => {
  if (value === null) removeAttribute(element, name);
  else setAttribute(element, `${element.prefix ?? 'w'}:${name}`, value);
};

/** The text that a control shows for a value, which the control is told of as well. */
function shownIn(properties: Element, value: string): string {
  const date = child(properties, 'date');
  if (date !== undefined) {
    const day = dayOf(value);
    setOrRemove(date, 'fullDate', day === null ? null : `${day}T00:00:00Z`);
  }
  const list = child(properties, 'dropDownList') ?? child(properties, 'comboBox');
  if (list === undefined) return value;
  const entry = entryOf(list, value);
  setOrRemove(list, 'lastValue', entry?.value ?? null);
  return entry?.caption ?? value;
}

function tick(box: Element, ticked: boolean): string {
  const state = child(box, 'checked');
  if (state !== undefined) setAttribute(state, 'val', ticked ? '1' : '0');
  return ticked ? signOf(child(box, 'checkedState'), '☒') : signOf(child(box, 'uncheckedState'), '☐');
}

/** Fills a control by its tag, else by its title. */
export function fillContentControl(sdt: Element, lookup: Lookup): void {
  const [properties, content] = [child(sdt, 'sdtPr'), child(sdt, 'sdtContent')];
  if (properties === undefined || content === undefined) return;
  const names = ['tag', 'alias'].flatMap((kind) => attribute(child(properties, kind), 'val') || []);
  const name = names.find((one) => lookup.value(one, false) !== undefined) ?? names[0];
  if (name === undefined) return;
  const value = lookup.value(name, false);
  if (value === undefined) {
    if (!childElements(properties).some(({ localName }) => holders.has(localName ?? ''))) lookup.unfilled(name);
    return;
  }
  const letters = lettersOf(content);
  const empty = letters.length === 0 ? emptyText(content) : null;
  const texts = empty === null ? letters : [empty];
  const box = child(properties, 'checkbox');
  const shown = box === undefined ? shownIn(properties, lookup.shown(value)) : tick(box, lookup.ticks(name, value));
  if (replaceTexts(texts, shown, lookup)) forgetOldValue(properties);
  else lookup.unfilled(name);
}
