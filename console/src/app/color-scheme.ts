import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { storeTheme, storedTheme } from './browser-storage.ts';

const toMantine = (theme: ReturnType<typeof storedTheme>): MantineColorScheme => (theme === 'system' ? 'auto' : theme);

/** Keeps the theme where index.html reads it before the first paint. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: () => toMantine(storedTheme()),
  set: (scheme) => storeTheme(scheme === 'auto' ? 'system' : scheme),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => storeTheme('system'),
};
