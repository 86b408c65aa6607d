import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../../i18n/use-lazy-namespace.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { LoadingRows } from '../../../parts/loading.tsx';
import classes from '../search/search.module.css';
import { ConnectionCard } from './connection-card.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { connectorsQuery } from './queries.ts';

interface TabProps {
  readonly collection: ConsoleCollection;
}

function Connections({ collection: { collection_id: id } }: TabProps) {
  const { t } = useTranslation('connections');
  const connectors = useQuery(connectorsQuery(id));
  const [adds, add] = useDisclosure(false);
  const button = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add.open}>
      {t('add')}
    </Button>
  );
  return (
    <Loaded query={connectors}>
      {({ items, ...allowed }) => (
        <Stack gap="md">
          {items.length === 0 ? (
            <EmptyState icon={IconPlugConnected} title={t('none')} hint={t('none_hint')} action={button} />
          ) : (
            <>
              <Group justify="space-between" gap="sm">
                <Text c="dimmed" flex="1 1 20rem">
                  {t('hint')}
                </Text>
                {button}
              </Group>
              <ul className={classes['list']}>
                {items.map((one) => (
                  <ConnectionCard key={one.connector_id} connector={one} allowed={allowed} />
                ))}
              </ul>
            </>
          )}
          {adds ? (
            <ConnectionForm opened collectionId={id} connector={null} allowed={allowed} onClose={add.close} />
          ) : null}
        </Stack>
      )}
    </Loaded>
  );
}

/** Sources that a collection is kept in step with. */
export function ConnectionsTab(props: TabProps) {
  return useLazyNamespace('connections') ? <Connections {...props} /> : <LoadingRows />;
}
