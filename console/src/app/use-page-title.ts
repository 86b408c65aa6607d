import { useTranslation } from 'react-i18next';
import { pagePermissions, type ShellPage } from './page-permissions.ts';

const namespaces = Object.keys(pagePermissions) as readonly ShellPage[];

/** What a page is called in the language of the console. */
export function usePageTitle(): (page: ShellPage) => string {
  const { t } = useTranslation(namespaces);
  return (page) => t(`${page}:title`);
}
