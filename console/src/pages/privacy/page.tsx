import { Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../api/session.ts';
import { LoadingRows } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { TryTab } from './try-tab.tsx';

// The first comes with the page, the others when they are opened.
const PolicyTab = lazy(async () => ({ default: (await import('./policy-tab.tsx')).PolicyTab }));
const FoundTab = lazy(async () => ({ default: (await import('./found-tab.tsx')).FoundTab }));

const tabs = { try: TryTab, policy: PolicyTab, found: FoundTab } as const;
const names = ['try', 'policy', 'found'] as const;

/** Personal values: texts to try, the policy of the tenant, and how many were found. */
export function Page() {
  const { t } = useTranslation('privacy');
  const manages = hasPermission(useMe(), ['settings.manage']);
  const shown = (name: (typeof names)[number]) => {
    const Tab = tabs[name];
    return (
      <Suspense fallback={<LoadingRows />}>
        <Tab />
      </Suspense>
    );
  };
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {manages ? (
        <Tabs defaultValue="try" keepMounted={false}>
          <Tabs.List aria-label={t('title')} mb="lg">
            {names.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`tabs.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {names.map((name) => (
            <Tabs.Panel key={name} value={name}>
              {shown(name)}
            </Tabs.Panel>
          ))}
        </Tabs>
      ) : (
        shown('try')
      )}
    </>
  );
}
