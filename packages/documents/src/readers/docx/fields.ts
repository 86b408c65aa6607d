import type { FormField, Span } from '../../document.ts';
import type { XmlElement } from '../../package/xml.ts';
import { legacyField, replaceWithField } from './content-controls.ts';
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

/** Opens a field; `spans` are those of the paragraph so far. A field of a form is shown at once, where no text of it follows. */
export function beginField(
  story: Story,
  element: XmlElement,
  spans: readonly Span[],
  show: (field: FormField) => void,
): void {
  const form = isShown(story) ? legacyField(element) : null;
  if (form !== null && form.kind !== 'text') show(form);
  if (story.fields.length >= MAX_OPEN_FIELDS) return;
  const open = form?.kind === 'text' ? { form: { field: form, spans, from: spans.length } } : {};
  story.fields.push({ instruction: '', shown: false, ...open });
}

export function separateField({ fields }: Story): void {
  const field = fields.at(-1);
  if (field === undefined) return;
  field.shown = true;
  const link = simpleFieldLink(field.instruction);
  if (link !== undefined) field.link = link;
}

/** Closes a field; what was typed into one of a form stands in `spans`, where it began in this paragraph. */
export function endField({ fields, reading }: Story, spans: Span[]): void {
  const form = fields.pop()?.form;
  if (form === undefined || form.spans !== spans) return;
  // Word shows an empty field as a row of wide blanks.
  reading.letters.seen(replaceWithField(spans, form.from, (shown) => ({ ...form.field, value: shown.trim() })));
}
