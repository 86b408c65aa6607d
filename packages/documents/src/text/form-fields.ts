import type { FormField, Span } from '../document.ts';

/**
 * The sign of a box to tick, and of a radio button: a circle before words is a bullet in Korean documents, so that both are written as
 * boxes.
 */
export const tickSign = (checked: boolean | null): string => (checked === null ? '◪' : checked ? '☑' : '☐');

/** A field as it is shown in the text; its label stands right behind the box. */
export function fieldSpan(field: FormField): Span {
  const { kind, label = '', checked = false, value = '' } = field;
  const isTick = kind === 'checkbox' || kind === 'radio';
  return { text: isTick ? `${tickSign(checked)}${label}` : value, field };
}

/** Leaves out properties without a word. */
export function formField({
  name = '',
  label = '',
  options,
  ...field
}: Omit<FormField, 'options'> & { readonly options?: readonly string[] | undefined }): FormField {
  return {
    ...field,
    ...(name === '' ? {} : { name }),
    ...(label === '' ? {} : { label }),
    ...(options === undefined || options.length === 0 ? {} : { options }),
  };
}

/** Words of a label; longer ones are text. */
export const MAX_LABEL_LENGTH = 100;

/** Letters that are looked at for a label. */
const MAX_LABEL_SOURCE = 1_000;
/** What stands between a label and its field. */
const besideLabel = ' :：,/';

/** The words of a label without what stands between it and its field; undefined where there are none. */
export function labelText(text: string): string | undefined {
  const words = text.trim().slice(0, MAX_LABEL_SOURCE).replaceAll(/\s+/gu, ' ');
  let [from, to] = [0, words.length];
  while (from < to && besideLabel.includes(words.charAt(from))) from++;
  while (to > from && besideLabel.includes(words.charAt(to - 1))) to--;
  const label = words.slice(from, Math.min(to, from + MAX_LABEL_LENGTH));
  return label === '' ? undefined : label;
}

/** Boxes that are letters of the text, with the words behind each, up to the next one or to a gap. */
const typedBox = /([☐☑☒□■🗹])\s?((?:(?![☐☑☒□■🗹]|\s{2}|\n|\t).)*)/gu;
const ticked: ReadonlySet<string> = new Set(['☑', '☒', '■', '🗹']);
/** Squares are bullets too: they are boxes to tick where they stand beside each other, one of them filled in. */
const squares: ReadonlySet<string> = new Set(['□', '■']);

/** Boxes to tick that are letters of a text. */
export function typedBoxes(text: string): readonly FormField[] {
  const found = [...text.matchAll(typedBox)].map(([, box = '', label = '']) => ({ box, label }));
  const isForm =
    found.some(({ box }) => !squares.has(box)) || (found.length > 1 && found.some(({ box }) => ticked.has(box)));
  if (!isForm) return [];
  return found.map(({ box, label }) =>
    formField({ kind: 'checkbox', checked: ticked.has(box), label: labelText(label) ?? '' }),
  );
}

/** True for a line of boxes to tick beside each other: it heads nothing and is no item of a list. */
export const isTickLine = (text: string): boolean => typedBoxes(text).length > 1;
