import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/error.ts';
import { useFormat } from './use-format.ts';

type Words = TFunction<'errors'>;

function byClass({ code, status }: ApiError, t: Words): string {
  if (code === 'network') return t('network');
  if (code === 'not_saved') return t('not_saved');
  if (code === 'bad_answer') return t('bad_answer');
  if (status === 401) return t('reasons.signed_out');
  if (status === 403) return t('forbidden');
  if (status === 404) return t('not_found');
  if (status === 429) return t('busy');
  return status >= 500 ? t('server') : t('other');
}

/** A known reason in the language of the page; sizes (`…_bytes`) in its units. */
export function useReasonMessage(): (
  reason: ConsoleReason,
  values: Readonly<Record<string, string | number>>,
) => string {
  const { t } = useTranslation('errors');
  const { t: privacy } = useTranslation('privacy');
  const { bytes, duration } = useFormat();
  const types: Readonly<Record<string, string>> = privacy('types', { returnObjects: true });
  const written = (name: string, value: string | number) => {
    if (name.endsWith('_bytes')) return bytes(Number(value));
    if (name === 'seconds') return duration(Number(value) * 1000);
    if (name !== 'types') return value;
    return String(value)
      .split(', ')
      .map((type) => types[type] ?? type)
      .join(', ');
  };
  return (reason, values) => {
    const shown = Object.entries(values).map(([name, value]) => [name, written(name, value)] as const);
    return t(`reasons.${reason}`, Object.fromEntries(shown));
  };
}

/** What a failure is called in the language of the page. */
export function useErrorMessage(): (error: unknown) => string {
  const { t } = useTranslation('errors');
  const reasonMessage = useReasonMessage();
  return (error) => {
    if (!(error instanceof ApiError)) return t('other');
    if (error.reason === null) return byClass(error, t);
    return reasonMessage(error.reason, error.values);
  };
}
