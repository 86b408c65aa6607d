import { Tabs } from '@mantine/core';
import { useHash } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { LoadingPage } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useModelEvents } from './queries.ts';
import { Served } from './served.tsx';
import { Servers } from './servers.tsx';
import { LocalModels } from './weights.tsx';

const tabs = ['served', 'local', 'servers'] as const;

/** Models: what clients can name, files of this machine, and servers. */
export function Page() {
  return useLazyNamespace('modelsPage') ? <Models /> : <LoadingPage />;
}

function Models() {
  const { t } = useTranslation('models');
  const { t: words } = useTranslation('modelsPage');
  const [hash, setHash] = useHash();
  const tab = tabs.find((name) => `#${name}` === hash) ?? 'served';
  useModelEvents();
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Tabs value={tab} onChange={(name) => setHash(`#${name ?? 'served'}`)} keepMounted={false}>
        <Tabs.List mb="lg" aria-label={t('title')}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {words(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="served">
          <Served />
        </Tabs.Panel>
        <Tabs.Panel value="local">
          <LocalModels />
        </Tabs.Panel>
        <Tabs.Panel value="servers">
          <Servers />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
