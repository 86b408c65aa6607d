import type { Weights } from '@ai-studio/contract/console/models.ts';
import { useTranslation } from 'react-i18next';
import { useReasonMessage } from '../../parts/use-error-message.ts';

type Reasoned = Pick<Weights, 'reason' | 'reason_code' | 'reason_values'>;

/** Why something is as it is, in the language of the page; in English where nobody has named it yet. */
export function useReason(): (of: Reasoned) => string | null {
  const words = useReasonMessage();
  return ({ reason, reason_code: code, reason_values: values }) => (code === null ? reason : words(code, values));
}

/** Picks the words of the page's language. */
export function useLocalizedText(): (words: NonNullable<Weights['description']>) => string {
  const { i18n } = useTranslation();
  return ({ ko, en }) => (i18n.language.startsWith('ko') ? ko : en);
}
