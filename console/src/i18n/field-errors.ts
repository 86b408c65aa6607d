import type { i18n } from 'i18next';
import { z } from 'zod';

/**
 * Makes the schemas of the contract say what is wrong with a field in the language of the page. Messages that a schema
 * has of its own stay.
 */
export function translateFieldErrors(translator: i18n): void {
  const t = translator.getFixedT(null, 'fields');
  z.config({
    customError: (issue) => {
      switch (issue.code) {
        case 'invalid_type':
          return issue.input === undefined || issue.input === null ? t('required') : t('invalid');
        case 'too_small':
          if (issue.origin === 'string') {
            return issue.minimum === 1 ? t('required') : t('too_short', { minimum: Number(issue.minimum) });
          }
          return issue.origin === 'array' ? t('choose_one') : t('too_low', { minimum: Number(issue.minimum) });
        case 'too_big':
          return issue.origin === 'string'
            ? t('too_long', { maximum: Number(issue.maximum) })
            : t('too_high', { maximum: Number(issue.maximum) });
        case 'invalid_format':
          if (issue.format === 'email') return t('email');
          return issue.format === 'url' ? t('url') : t('invalid');
        default:
          return t('invalid');
      }
    },
  });
}
