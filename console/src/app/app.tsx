import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import type { i18n } from 'i18next';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useMemo } from 'react';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { useMeIfKnown } from '../api/session.ts';
import type { Connection } from './connection.ts';
import { ConnectionContext } from './shell/away-banner.tsx';
import { colorSchemeManager } from './color-scheme.ts';
import { isAccent, defaultAccent } from './colors.ts';
import { themeWith, variables } from './theme.ts';
import { useInitialPreferences, useLanguageOfOtherTabs } from './use-preferences.ts';

/** Messages that were told before it is here are shown by it then. */
const Notifications = lazy(async (): Promise<{ default: ComponentType<{ readonly position: 'bottom-right' }> }> => {
  try {
    return { default: (await import('@mantine/notifications')).Notifications };
  } catch {
    // The service is away, which the page says itself.
    return { default: () => null };
  }
});

/** The theme in the accent of the tenant, once it is known. */
function Themed({ nonce, children }: { readonly nonce: string; readonly children: ReactNode }) {
  const chosen = useMeIfKnown()?.tenant?.accent ?? defaultAccent;
  const accent = isAccent(chosen) ? chosen : defaultAccent;
  const { t } = useTranslation('common');
  const theme = useMemo(() => themeWith(accent, { close: t('close'), showPassword: t('show_password') }), [accent, t]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}

/** Tells the browser which language the page speaks. */
function PageLanguage() {
  const { i18n } = useTranslation();
  const { language } = i18n;
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return null;
}

function PreferenceSync() {
  useInitialPreferences();
  useLanguageOfOtherTabs();
  return null;
}

interface AppProps {
  readonly queries: QueryClient;
  readonly router: AnyRouter;
  readonly translator: i18n;
  readonly nonce: string;
  readonly connection: Connection;
}

/** Everything that pages find around them. */
export function App({ queries, router, translator, nonce, connection }: AppProps) {
  return (
    <QueryClientProvider client={queries}>
      <I18nextProvider i18n={translator}>
        <PageLanguage />
        <Themed nonce={nonce}>
          <PreferenceSync />
          <Suspense>
            <Notifications position="bottom-right" />
          </Suspense>
          <ConnectionContext value={connection}>
            <RouterProvider router={router} />
          </ConnectionContext>
        </Themed>
      </I18nextProvider>
    </QueryClientProvider>
  );
}
