import { Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { mayDo, useMe } from '../../api/session.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { FoundTab } from './found-tab.tsx';
import { PolicyTab } from './policy-tab.tsx';
import { TryTab } from './try-tab.tsx';

/** Personal values: texts to try, the policy of the tenant, and how many were found. */
export function Page() {
  const { t } = useTranslation('privacy');
  const manages = mayDo(useMe(), ['settings.manage']);
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {manages ? (
        <Tabs defaultValue="try" keepMounted={false}>
          <Tabs.List aria-label={t('title')} mb="lg">
            <Tabs.Tab value="try">{t('tabs.try')}</Tabs.Tab>
            <Tabs.Tab value="policy">{t('tabs.policy')}</Tabs.Tab>
            <Tabs.Tab value="found">{t('tabs.found')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="try">
            <TryTab />
          </Tabs.Panel>
          <Tabs.Panel value="policy">
            <PolicyTab />
          </Tabs.Panel>
          <Tabs.Panel value="found">
            <FoundTab />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <TryTab />
      )}
    </>
  );
}
