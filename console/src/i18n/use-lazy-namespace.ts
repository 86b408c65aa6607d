import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { LazyNamespace } from './lazy.ts';
import { isLoaded, loadWords } from './load-words.ts';

/** Loads the words of a part that is not a page of its own, where its page has not brought them. Returns true once they are there. */
export function useLazyNamespace(namespace: LazyNamespace): boolean {
  const { i18n } = useTranslation();
  const language = i18n.language === 'ko' ? 'ko' : 'en';
  const isThere = isLoaded(i18n, language, namespace);
  const { isSuccess } = useQuery({
    queryKey: ['words', namespace, language],
    queryFn: async () => {
      await loadWords(i18n, language, [namespace]);
      return true;
    },
    staleTime: 'static',
    enabled: !isThere,
  });
  return isThere || isSuccess;
}
