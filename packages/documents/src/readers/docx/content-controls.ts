import type { FormField, Span } from '../../document.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { fieldSpan, formField } from '../../text/form-fields.ts';

// Fields of forms: content controls (`w:sdt`) and the older form fields (`w:ffData`). Sources: ECMA-376 part 1, 17.5.2 and 17.16;
// MS-DOCX 2.5 for the boxes of content controls.

const isOn = (element: XmlElement | undefined, name: string): boolean =>
  element !== undefined && !/^(?:0|false|off)$/.test(attributeOf(element, name) ?? '1');

/** Entries of a list as they are shown. */
const listItems = (list: XmlElement): readonly string[] =>
  [...childrenOf(list, 'w:listItem')]
    .map((item) => attributeOf(item, 'w:displayText') ?? attributeOf(item, 'w:value') ?? '')
    .filter((text) => text !== '');

/** What a content control is: a field whose value is what it shows; null for one that only holds a part of the text. */
export function controlField(sdt: XmlElement): ((shown: string) => FormField) | null {
  const properties = childOf(sdt, 'w:sdtPr');
  const name = attributeOf(childOf(properties, 'w:tag'), 'w:val') ?? '';
  const label = attributeOf(childOf(properties, 'w:alias'), 'w:val') ?? '';
  const box = childOf(properties, 'w14:checkbox');
  if (box !== undefined) {
    const state = childOf(box, 'w14:checked');
    const checked = state !== undefined && isOn(state, 'w14:val');
    // The words beside a box say more than what its author called it.
    return () => formField({ kind: 'checkbox', name: name === '' ? label : name, checked });
  }
  // The hint of an empty control is no value.
  const isHint = isOn(childOf(properties, 'w:showingPlcHdr'), 'w:val');
  const list = childOf(properties, 'w:dropDownList') ?? childOf(properties, 'w:comboBox');
  if (list !== undefined) {
    const options = listItems(list);
    return (shown) => formField({ kind: 'choice', name, label, value: isHint ? '' : shown.trim(), options });
  }
  if (childOf(properties, 'w:text') === undefined && childOf(properties, 'w:date') === undefined) return null;
  return (shown) => formField({ kind: 'text', name, label, value: isHint ? '' : shown.trim() });
}

/** Whether spans are words alone, which a field may take the place of. */
export const areWords = (spans: readonly Span[]): boolean =>
  spans.every(({ note, field, math }) => note === undefined && field === undefined && math !== true);

/** A form field by its data; what it shows may follow as text. Null for none. */
export function legacyField(element: XmlElement): FormField | null {
  const data = childOf(element, 'w:ffData');
  const name = attributeOf(childOf(data, 'w:name'), 'w:val') ?? '';
  const box = childOf(data, 'w:checkBox');
  if (box !== undefined) {
    const checked = isOn(childOf(box, 'w:checked') ?? childOf(box, 'w:default'), 'w:val');
    return formField({ kind: 'checkbox', name, checked });
  }
  const list = childOf(data, 'w:ddList');
  if (list !== undefined) {
    const options = [...childrenOf(list, 'w:listEntry')].map((entry) => attributeOf(entry, 'w:val') ?? '');
    const at = Number(attributeOf(childOf(list, 'w:result') ?? childOf(list, 'w:default'), 'w:val') ?? 0);
    return formField({ kind: 'choice', name, value: options[at] ?? '', options });
  }
  return childOf(data, 'w:textInput') === undefined ? null : formField({ kind: 'text', name, value: '' });
}

/** Puts a field in the place of the words that it showed, which it gives back. */
export function replaceWithField(spans: Span[], from: number, field: (shown: string) => FormField): string {
  const shown = spans.slice(from);
  if (!areWords(shown)) return '';
  const text = shown.map((span) => span.text).join('');
  const span = fieldSpan(field(text));
  spans.splice(from, shown.length, { ...shown[0], ...span });
  return text;
}
