import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import type { Story } from './reading.ts';

// Fields: between their beginning and their separator stands what they do, and behind that what they show.

/** Nesting of fields; deeper ones count as part of the last. */
const MAX_OPEN_FIELDS = 64;

/** True when text is shown here, and not part of what a field does. */
export const isShown = ({ fields }: Story): boolean => fields.every(({ shown }) => shown);

/** Where the innermost link field leads. */
export const fieldLink = ({ fields }: Story): string | undefined =>
  fields.findLast(({ shown, link }) => shown && link !== undefined)?.link;

/** Where a field leads by its words; undefined for other fields. */
export function simpleFieldLink(instruction: string): string | undefined {
  const found = /^\s*HYPERLINK\s+(?:"([^"]*)")?\s*(?:\\l\s+"([^"]*)")?/i.exec(instruction);
  if (found === null) return undefined;
  const [, address = '', place] = found;
  const link = `${address}${place === undefined ? '' : `#${place}`}`;
  return link === '' ? undefined : link;
}

/** What a field of a form shows that has no text of its own. */
function formText(element: XmlElement): string {
  const form = childOf(element, 'w:ffData');
  const box = childOf(form, 'w:checkBox');
  if (box !== undefined) {
    const state = childOf(box, 'w:checked') ?? childOf(box, 'w:default');
    return state !== undefined && !/^(?:0|false|off)$/.test(attributeOf(state, 'w:val') ?? '1') ? '☑' : '☐';
  }
  const list = childOf(form, 'w:ddList');
  if (list === undefined) return '';
  const entries = [...childrenOf(list, 'w:listEntry')];
  const at = Number(attributeOf(childOf(list, 'w:result') ?? childOf(list, 'w:default'), 'w:val') ?? 0);
  return attributeOf(entries[at], 'w:val') ?? '';
}

export function beginField(story: Story, element: XmlElement, show: (text: string) => void): void {
  const text = formText(element);
  if (text !== '') show(text);
  if (story.fields.length < MAX_OPEN_FIELDS) story.fields.push({ instruction: '', shown: false });
}

export function separateField({ fields }: Story): void {
  const field = fields.at(-1);
  if (field === undefined) return;
  field.shown = true;
  const link = simpleFieldLink(field.instruction);
  if (link !== undefined) field.link = link;
}

export const endField = ({ fields }: Story): void => {
  fields.pop();
};
