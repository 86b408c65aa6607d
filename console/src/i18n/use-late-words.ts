import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { lateNamespaces } from './late.ts';

/** Loads the words of a part in the language of the page. Returns true once they are there. */
export function useLateWords(namespace: keyof typeof lateNamespaces): boolean {
  const { i18n } = useTranslation();
  const language = i18n.language === 'ko' ? 'ko' : 'en';
  const { isSuccess } = useQuery({
    queryKey: ['words', namespace, language],
    queryFn: async () => {
      i18n.addResourceBundle(language, namespace, await lateNamespaces[namespace][language]());
      return true;
    },
    staleTime: 'static',
  });
  return isSuccess;
}
