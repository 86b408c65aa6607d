import type { Language, Theme } from '@ai-studio/contract/console/session.ts';
import { Me } from '@ai-studio/contract/console/session.ts';
import { useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { meQuery, useMeIfKnown } from '../api/session.ts';
import { switchLanguage } from '../i18n/index.ts';
import { type Choices, onStoredLanguage, readUnsavedChoices, storeLanguage } from './browser-storage.ts';
import { saveChoices } from './save-choices.ts';

interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  setLanguage(language: Language): void;
  setTheme(theme: Theme): void;
}

const patchMe = (choices: Choices) => api.patch('/me', choices, Me);

/** Language and theme: stored in this browser, and in the profile of the signed-in person. */
export function usePreferences(): Preferences {
  const { i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queries = useQueryClient();
  const saveToProfile = (choices: Choices) => {
    const me = queries.getQueryData(meQuery.queryKey);
    if (!me) return;
    queries.setQueryData(meQuery.queryKey, { ...me, user: { ...me.user, ...choices } });
    saveChoices(me.user.id, choices, patchMe, (saved) => queries.setQueryData(meQuery.queryKey, saved));
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
  const queries = useQueryClient();
  const user = useMeIfKnown()?.user;
  const adopted = useRef<string>(undefined);
  useEffect(() => {
    if (user === undefined || user.id === adopted.current) return;
    adopted.current = user.id;
    const unsaved = readUnsavedChoices(user.id);
    const { language, theme } = { ...user, ...unsaved };
    if (unsaved !== null)
      saveChoices(user.id, unsaved, patchMe, (saved) => queries.setQueryData(meQuery.queryKey, saved));
    if (theme !== 'system') setColorScheme(theme);
    if (language === null || language === i18n.language) return;
    storeLanguage(language);
    void switchLanguage(i18n, language);
  }, [user, i18n, setColorScheme, queries]);
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
