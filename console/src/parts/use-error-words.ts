import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/error.ts';

type Words = TFunction<'errors'>;

function byClass({ code, status }: ApiError, t: Words): string {
  if (code === 'network') return t('network');
  if (code === 'bad_answer') return t('bad_answer');
  if (status === 401) return t('reasons.signed_out');
  if (status === 403) return t('forbidden');
  if (status === 404) return t('not_found');
  if (status === 429) return t('busy');
  return status >= 500 ? t('server') : t('other');
}

/** What a failure is called in the language of the page. */
export function useErrorWords(): (error: unknown) => string {
  const { t } = useTranslation('errors');
  return (error) => {
    if (!(error instanceof ApiError)) return t('other');
    if (error.reason === null) return byClass(error, t);
    return t(`reasons.${error.reason}`, { ...error.values });
  };
}
