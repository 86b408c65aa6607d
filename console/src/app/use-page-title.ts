import { useTranslation } from 'react-i18next';
import type { ShellPage } from './needs.ts';

const namespaces = [
  'overview',
  'chat',
  'agents',
  'reviews',
  'tools',
  'collections',
  'playground',
  'parser',
  'speech',
  'keys',
  'models',
  'users',
  'usage',
  'privacy',
  'audit',
  'settings',
  'profile',
  'tenants',
] as const satisfies readonly ShellPage[];

/** What a page is called in the language of the console. */
export function usePageTitle(): (page: ShellPage) => string {
  const { t } = useTranslation(namespaces);
  return (page) => t(`${page}:title`);
}
