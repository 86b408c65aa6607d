import type { ParserOutline } from '@ai-studio/contract/console/parser.ts';
import { useTranslation } from 'react-i18next';

type Warning = ParserOutline['warnings'][number];

/** Words of what could not be read of a document, in the language of the page; the service's own where there are none. */
export function useWarningMessage(): (warning: Warning) => string {
  const { t, i18n } = useTranslation('parser');
  return ({ code, message, page }) => {
    const known = i18n.exists(`parser:warning.${code}`);
    const words = known ? t(`warning.${code}` as 'warning.page_unreadable') : message;
    return page === null ? words : t('warning_on', { page, message: words });
  };
}
