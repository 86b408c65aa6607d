import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { later } from './later.ts';

/**
 * Fetches words that do not come with the console. True once they are here: in both languages, so that a page need not go away
 * while another language comes.
 */
export function useLaterWords(namespace: keyof typeof later): boolean {
  const { i18n } = useTranslation();
  const { isSuccess } = useQuery({
    queryKey: ['words', namespace],
    queryFn: async () => {
      const [ko, en] = await Promise.all([later[namespace].ko(), later[namespace].en()]);
      i18n.addResourceBundle('ko', namespace, ko);
      i18n.addResourceBundle('en', namespace, en);
      return true;
    },
    staleTime: 'static',
  });
  return isSuccess;
}
