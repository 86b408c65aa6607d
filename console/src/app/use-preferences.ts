import type { Language, Theme } from '@ai-studio/contract/console/session.ts';
import { Me } from '@ai-studio/contract/console/session.ts';
import { useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { meQuery, useMeIfKnown } from '../api/session.ts';
import { switchLanguage } from '../i18n/index.ts';
import { onStoredLanguage, storeLanguage } from './browser-storage.ts';

interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  setLanguage(language: Language): void;
  setTheme(theme: Theme): void;
}

/** Number of the last change that was sent. */
let lastChange = 0;

/** Language and theme: stored in this browser, and in the profile of the signed-in person. */
export function usePreferences(): Preferences {
  const { i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queries = useQueryClient();
  const saveToProfile = (change: { language?: Language; theme?: Theme }) => {
    const me = queries.getQueryData(meQuery.queryKey);
    if (!me) return;
    queries.setQueryData(meQuery.queryKey, { ...me, user: { ...me.user, ...change } });
    // The choice applies in this browser even when the service cannot store it.
    const own = ++lastChange;
    api.patch('/me', change, Me).then(
      // The answer to an earlier change does not know of a later one.
      (saved) => own === lastChange && queries.setQueryData(meQuery.queryKey, saved),
      () => undefined,
    );
  };
  return {
    language: i18n.language === 'ko' ? 'ko' : 'en',
    theme: colorScheme === 'auto' ? 'system' : colorScheme,
    setLanguage(language) {
      storeLanguage(language);
      void switchLanguage(i18n, language);
      saveToProfile({ language });
    },
    setTheme(theme) {
      setColorScheme(theme === 'system' ? 'auto' : theme);
      saveToProfile({ theme });
    },
  };
}

/**
 * Takes over what the profile of the signed-in person says, once for each person: in a browser that they have not used
 * yet the console looks as they know it. A theme of `system` is no choice, and changes nothing.
 */
export function useInitialPreferences(): void {
  const { i18n } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const user = useMeIfKnown()?.user;
  const adopted = useRef<string>(undefined);
  useEffect(() => {
    if (user === undefined || user.id === adopted.current) return;
    adopted.current = user.id;
    const { language, theme } = user;
    if (theme !== 'system') setColorScheme(theme);
    if (language === null || language === i18n.language) return;
    storeLanguage(language);
    void switchLanguage(i18n, language);
  }, [user, i18n, setColorScheme]);
}

/** Follows the language that is chosen in another tab of this browser, as the theme does by itself. */
export function useLanguageOfOtherTabs(): void {
  const { i18n } = useTranslation();
  const queries = useQueryClient();
  useEffect(
    () =>
      onStoredLanguage((language) => {
        // Until the profile is asked for again, it would have its language back.
        queries.setQueryData(meQuery.queryKey, (me) => me && { ...me, user: { ...me.user, language } });
        void switchLanguage(i18n, language);
      }),
    [i18n, queries],
  );
}
