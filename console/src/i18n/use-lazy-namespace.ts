import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { lazyNamespaces } from './lazy.ts';

/**
 * Loads a lazy namespace in both languages, so that a page stays mounted when the language changes. Returns true once it is
 * loaded.
 */
export function useLazyNamespace(namespace: keyof typeof lazyNamespaces): boolean {
  const { i18n } = useTranslation();
  const { isSuccess } = useQuery({
    queryKey: ['words', namespace],
    queryFn: async () => {
      const [ko, en] = await Promise.all([lazyNamespaces[namespace].ko(), lazyNamespaces[namespace].en()]);
      i18n.addResourceBundle('ko', namespace, ko);
      i18n.addResourceBundle('en', namespace, en);
      return true;
    },
    staleTime: 'static',
  });
  return isSuccess;
}
