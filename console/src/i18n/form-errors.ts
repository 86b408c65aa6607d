import type { i18n } from 'i18next';

/** A field that the browser checks itself. */
type Checked = HTMLInputElement | HTMLTextAreaElement;

const isChecked = (target: EventTarget | null): target is Checked =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** What is wrong with a field, in the language of the page; null leaves it to the browser. */
function wordsOf(translator: i18n, field: Checked): string | null {
  const t = translator.getFixedT(null, 'fields');
  const { validity } = field;
  if (validity.valueMissing) return t('required');
  if (validity.tooShort) return t('too_short', { minimum: field.minLength });
  if (validity.tooLong) return t('too_long', { maximum: field.maxLength });
  if (validity.typeMismatch && field.type === 'email') return t('email');
  if (validity.typeMismatch && field.type === 'url') return t('url');
  return null;
}

/** Makes what browsers say of a form's fields speak the language of the page, which need not be the browser's. */
export function translateFormErrors(translator: i18n, document: Document): void {
  document.addEventListener(
    'invalid',
    ({ target }) => {
      if (!isChecked(target)) return;
      // The words of the last time would otherwise count as a fault of their own.
      target.setCustomValidity('');
      target.setCustomValidity(wordsOf(translator, target) ?? '');
    },
    true,
  );
  document.addEventListener(
    'input',
    ({ target }) => {
      if (isChecked(target)) target.setCustomValidity('');
    },
    true,
  );
}
