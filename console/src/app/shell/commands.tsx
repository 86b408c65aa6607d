import { Spotlight, createSpotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { IconBook2, IconLanguage, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useComputedColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../api/session.ts';
import { navigation } from '../navigation.ts';
import { pagePermissions } from '../page-permissions.ts';
import { usePageTitle } from '../use-page-title.ts';
import { useFound } from './use-found.tsx';
import { usePreferences } from '../use-preferences.ts';

interface CommandsProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Finds pages, things by their names, and commands by what people type; opened by Ctrl+K or ⌘K. */
export function Commands({ opened, onClose }: CommandsProps) {
  const { t } = useTranslation('shell');
  const title = usePageTitle();
  const me = useMe();
  const navigate = useNavigate();
  const { language, setLanguage, setTheme } = usePreferences();
  const dark = useComputedColorScheme() === 'dark';
  const [[store, { open }]] = useState(createSpotlight);
  const [query, setQuery] = useState('');
  const found = useFound(query);
  useEffect(() => {
    if (opened) open();
  }, [opened, open]);

  const pages = navigation
    .flatMap(({ entries }) => [...entries])
    .filter(({ page }) => hasPermission(me, pagePermissions[page]))
    .map(({ to, page, icon: Picture }) => ({
      id: page,
      label: title(page),
      // The names of addresses are found in either language.
      keywords: [page],
      leftSection: <Picture size={20} stroke={1.6} aria-hidden />,
      onClick: () => void navigate({ to }),
    }));
  const Scheme = dark ? IconSun : IconMoon;
  const actions = [
    {
      id: 'theme',
      label: `${t('theme')}: ${dark ? t('theme_light') : t('theme_dark')}`,
      keywords: ['theme', 'dark', 'light'],
      leftSection: <Scheme size={20} stroke={1.6} aria-hidden />,
      onClick: () => setTheme(dark ? 'light' : 'dark'),
    },
    {
      id: 'language',
      label: `${t('language')}: ${language === 'ko' ? 'English' : '한국어'}`,
      keywords: ['language', '언어'],
      leftSection: <IconLanguage size={20} stroke={1.6} aria-hidden />,
      onClick: () => setLanguage(language === 'ko' ? 'en' : 'ko'),
    },
    {
      id: 'reference',
      label: t('api_reference'),
      keywords: ['api', 'docs'],
      leftSection: <IconBook2 size={20} stroke={1.6} aria-hidden />,
      onClick: () => window.open('/docs', '_blank', 'noopener'),
    },
  ];
  return (
    <Spotlight
      store={store}
      shortcut={null}
      onSpotlightClose={onClose}
      attributes={{ content: { 'aria-label': t('commands') } }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
      query={query}
      onQueryChange={setQuery}
      actions={[{ group: t('pages'), actions: pages }, ...found, { group: t('actions'), actions }]}
      nothingFound={t('commands_none')}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={20} stroke={1.6} aria-hidden />,
        placeholder: t('commands_hint'),
        'aria-label': t('commands_hint'),
      }}
    />
  );
}
