import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { speechQuery } from '../../api/speech.ts';
import { SpeechTab } from './speech-tab.tsx';
import { TranscribeTab } from './transcribe-tab.tsx';

/** Recordings that are written down, and texts that are said. */
export function Page() {
  const { t } = useTranslation('speech');
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Loaded query={useQuery(speechQuery)}>
        {(options) => (
          <Tabs defaultValue="write" keepMounted={false}>
            <Tabs.List mb="lg">
              <Tabs.Tab value="write">{t('tabs.write')}</Tabs.Tab>
              <Tabs.Tab value="say">{t('tabs.say')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="write">
              <TranscribeTab options={options} />
            </Tabs.Panel>
            <Tabs.Panel value="say">
              <SpeechTab options={options} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </>
  );
}
