import type { Element } from '@xmldom/xmldom';
import { isChosen, type Lookup } from './data.ts';
import { entryOf } from './entries.ts';
import { attribute, child, setAttribute, sibling } from './tree.ts';

// Boxes, lists and fields of forms of Hancom Office (양식 개체). Source: KS X 6101.

export const formObjects: ReadonlySet<string> = new Set(['checkBtn', 'radioBtn', 'comboBox', 'listBox', 'edit']);

function fillButton(button: Element, name: string, lookup: Lookup): void {
  const group = button.localName === 'radioBtn' ? (attribute(button, 'radioGroupName') ?? '') : '';
  const ofGroup = group === '' ? undefined : lookup.value(group, false);
  const value = name === '' ? undefined : lookup.value(name, false);
  if (ofGroup === undefined && value === undefined) {
    const place = group === '' ? name : group;
    if (place !== '') lookup.unfilled(place);
    return;
  }
  const option = attribute(button, 'caption') ?? attribute(button, 'captionText') ?? '';
  const ticked =
    ofGroup === undefined ? lookup.ticks(name, value) : isChosen(ofGroup, option) || isChosen(ofGroup, name);
  setAttribute(button, 'value', ticked ? 'CHECKED' : 'UNCHECKED');
}

export function fillFormObject(element: Element, lookup: Lookup): void {
  const name = attribute(element, 'name') ?? '';
  if (element.localName === 'checkBtn' || element.localName === 'radioBtn') return fillButton(element, name, lookup);
  if (name === '') return;
  const value = lookup.value(name, false);
  if (value === undefined) return lookup.unfilled(name);
  const given = lookup.shown(value);
  const isList = element.localName !== 'edit';
  const entry = isList ? entryOf(element, given) : undefined;
  if (isList) setAttribute(element, 'selectedValue', entry?.value ?? given);
  const text = child(element, 'text') ?? (isList ? undefined : element.appendChild(sibling(element, 'text')));
  if (text !== undefined) text.textContent = entry?.caption ?? given;
}
