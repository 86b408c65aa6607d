import { ActionIcon, Loader, Menu, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../../../parts/relative-time.tsx';
import { useErrorMessage } from '../../../../parts/use-error-message.ts';
import { sessionsQuery } from '../../queries.ts';
import { useBuilder } from '../context.ts';

/** How many are offered; the page of the agent has all. */
const MAX_SESSIONS = 20;

function Sessions({ onOpen }: { readonly onOpen: (session: number) => void }) {
  const { t } = useTranslation('agentBuilder');
  const { t: agents } = useTranslation('agents');
  const { agentId } = useBuilder();
  const errorMessage = useErrorMessage();
  const { data, error } = useInfiniteQuery({ ...sessionsQuery(agentId, 'test'), refetchOnMount: 'always' });
  const sessions = data?.pages.flatMap(({ items }) => items).slice(0, MAX_SESSIONS);
  if (error !== null)
    return (
      <Text size="sm" p="xs" role="alert">
        {errorMessage(error)}
      </Text>
    );
  if (sessions === undefined) return <Loader size="sm" m="xs" />;
  if (sessions.length === 0)
    return (
      <Text size="sm" c="dimmed" p="xs" role="status">
        {t('earlier.none')}
      </Text>
    );
  return sessions.map(({ id, title, updated_at: at }) => (
    <Menu.Item key={id} onClick={() => onOpen(id)}>
      <Stack gap={0}>
        <Text size="sm" lineClamp={1}>
          {title || agents('sessions.untitled')}
        </Text>
        <Text size="xs" c="dimmed">
          <RelativeTime at={at} />
        </Text>
      </Stack>
    </Menu.Item>
  ));
}

/** Trials that were made before, to be looked at on the canvas and gone on with. */
export function EarlierSessions({ onOpen }: { readonly onOpen: (session: number) => void }) {
  const { t } = useTranslation('agentBuilder');
  const [opened, setOpened] = useState(false);
  return (
    <Menu position="top-end" withinPortal opened={opened} onChange={setOpened}>
      <Menu.Target>
        <ActionIcon size={36} variant="default" aria-label={t('earlier.title')} title={t('earlier.title')}>
          <IconHistory size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('earlier.title')} maw="20rem" mah="24rem" style={{ overflowY: 'auto' }}>
        {opened ? <Sessions onOpen={onOpen} /> : null}
      </Menu.Dropdown>
    </Menu>
  );
}
