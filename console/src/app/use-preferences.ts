import type { Language, Theme } from '@ai-studio/contract/console/session.ts';
import { Me } from '@ai-studio/contract/console/session.ts';
import { useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { meQuery } from '../api/session.ts';
import { speak } from '../i18n/index.ts';
import { storeLanguage } from './stored.ts';

interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  setLanguage(language: Language): void;
  setTheme(theme: Theme): void;
}

/** Language and theme: kept in this browser, and in the profile of who is signed in. */
export function usePreferences(): Preferences {
  const { i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queries = useQueryClient();
  const keep = (change: { language?: Language; theme?: Theme }) => {
    const me = queries.getQueryData(meQuery.queryKey);
    if (!me) return;
    queries.setQueryData(meQuery.queryKey, { ...me, user: { ...me.user, ...change } });
    // The choice holds in this browser whether or not the service could keep it.
    api.patch('/me', change, Me).then(
      (kept) => queries.setQueryData(meQuery.queryKey, kept),
      () => undefined,
    );
  };
  return {
    language: i18n.language === 'ko' ? 'ko' : 'en',
    theme: colorScheme === 'auto' ? 'system' : colorScheme,
    setLanguage(language) {
      storeLanguage(language);
      void speak(i18n, language);
      keep({ language });
    },
    setTheme(theme) {
      setColorScheme(theme === 'system' ? 'auto' : theme);
      keep({ theme });
    },
  };
}
