import type { FormField } from '../../document.ts';
import { formField } from '../../text/form-fields.ts';
import { decodeUtf16, idOf } from './bytes.ts';

/** Kinds of form objects by the id of their record. Source: hwplib, FormObjectType. */
const kinds: Readonly<Record<string, FormField['kind'] | 'button'>> = {
  '+pbt': 'button',
  '+cbt': 'checkbox',
  '+rbt': 'radio',
  '+cob': 'choice',
  '+edt': 'text',
};

/** A caption as it is shown: one `&` marks the letter of a shortcut, two are the sign itself. */
export const captionText = (caption: string): string => caption.replaceAll(/&(.?)/gsu, '$1').trim();

/** More settings come from damage. */
const MAX_SETTINGS = 200;

/** Settings as `Name:type:value`; of texts with the count of their units, of sets with the settings within. */
function settingsOf(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  const setting = /([A-Za-z]\w{0,63}):(set|wstring|int|bool):/uy;
  let at = 0;
  while (at < text.length && settings.size < MAX_SETTINGS) {
    setting.lastIndex = at;
    const found = setting.exec(text);
    if (found === null) {
      at++;
      continue;
    }
    const [, name = '', type] = found;
    at = setting.lastIndex;
    const number = /-?\d{1,10}/uy;
    number.lastIndex = at;
    const digits = number.exec(text)?.[0] ?? '';
    at += digits.length;
    if (type === 'wstring') {
      const from = at + 1;
      // A count below nothing would lead back, and round and round.
      at = from + Math.max(0, Number(digits));
      settings.set(name, text.slice(from, at));
    } else if (type !== 'set') settings.set(name, digits);
  }
  return settings;
}

/** The state of a box: 0 is empty, 1 ticked, 2 neither. */
const checkedOf = (value: string | undefined): boolean | null => (value === '2' ? null : value === '1');

/** A form object by its record; null for a button, which holds nothing, with its words. */
export function readFormObject(data: Uint8Array): { readonly field: FormField | null; readonly words: string } {
  const kind = kinds[idOf(data, 0)];
  const settings = settingsOf(decodeUtf16(data, 0, data.length));
  const words = captionText(settings.get('Caption') ?? '');
  const ownName = settings.get('Name') ?? '';
  const value = settings.get('Text') ?? '';
  switch (kind ?? (settings.has('Value') ? 'checkbox' : settings.has('Text') ? 'text' : 'button')) {
    case 'checkbox':
      return {
        field: formField({ kind: 'checkbox', name: ownName, label: words, checked: checkedOf(settings.get('Value')) }),
        words,
      };
    case 'radio': {
      const group = settings.get('RadioGroupName') ?? '';
      const name = group === '' ? ownName : group;
      return {
        field: formField({ kind: 'radio', name, label: words, checked: checkedOf(settings.get('Value')) }),
        words,
      };
    }
    case 'choice':
      return { field: formField({ kind: 'choice', name: ownName, value }), words };
    case 'text':
      return { field: formField({ kind: 'text', name: ownName, value }), words };
    case 'button':
      return { field: null, words };
  }
}
