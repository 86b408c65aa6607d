import type { Me } from '@ai-studio/contract/console/session.ts';
import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { switchLanguage } from '../i18n/index.ts';
import { storeLanguage } from './browser-storage.ts';

/** Brings the language and the theme of the profile to this browser, when somebody signs in or changes them elsewhere. */
export function useProfilePreferences({ user: { language, theme } }: Me): void {
  const { i18n } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (language === null) return;
    storeLanguage(language);
    if (i18n.language !== language) void switchLanguage(i18n, language);
  }, [language, i18n]);
  useEffect(() => {
    setColorScheme(theme === 'system' ? 'auto' : theme);
  }, [theme, setColorScheme]);
}
