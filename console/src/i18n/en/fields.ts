import type { fields as korean } from '../ko/fields.ts';
import type { Translated } from '../translated.ts';

export const fields: Translated<typeof korean> = {
  required: 'This is needed.',
  invalid: 'This is not a valid value.',
  too_short: 'At least {{minimum}} characters.',
  too_long: 'At most {{maximum}} characters.',
  too_low: 'At least {{minimum}}.',
  too_high: 'At most {{maximum}}.',
  choose_one: 'Choose at least one.',
  email: 'An email address, please.',
  url: 'An address that begins with http:// or https://, please.',
};
