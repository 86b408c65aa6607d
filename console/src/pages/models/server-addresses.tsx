import type { ModelServer } from '@ai-studio/contract/console/models.ts';
import { Badge, Group, Menu, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import classes from './models.module.css';
import { servedQuery, serversQuery } from './queries.ts';

/** The addresses of a server: how many calls are under way at each, and which of them get no new ones. */
export function ServerAddresses({ server }: { readonly server: ModelServer }) {
  const { t } = useTranslation('modelsPage');
  const { addresses, base_url: first } = server;
  if (addresses.length === 0) {
    return (
      <Text size="xs" c="dimmed" ff="monospace" className={classes['name'] ?? ''}>
        {first}
      </Text>
    );
  }
  const isWeighted = addresses.some(({ weight }) => weight !== addresses[0]?.weight);
  return (
    <Stack gap={2}>
      {addresses.map(({ base_url: url, weight, drained, resting, in_flight: busy }, at) => (
        <Group key={`${at} ${url}`} gap={6}>
          <Text size="xs" c="dimmed" ff="monospace" className={classes['name'] ?? ''}>
            {url}
          </Text>
          {isWeighted ? (
            <Text size="xs" c="dimmed">
              {t('address_weight', { weight })}
            </Text>
          ) : null}
          {busy > 0 ? (
            <Text size="xs" c="dimmed">
              {t('in_flight', { count: busy })}
            </Text>
          ) : null}
          {drained ? (
            <Badge variant="light" color="orange" size="sm" tt="none">
              {t('drained')}
            </Badge>
          ) : null}
          {resting && !drained ? (
            <Badge variant="light" color="red" size="sm" tt="none">
              {t('resting')}
            </Badge>
          ) : null}
        </Group>
      ))}
    </Stack>
  );
}

/** Entries of a menu that drain the addresses of a server, and put them back to work. */
export function DrainItems({ server }: { readonly server: ModelServer }) {
  const { t } = useTranslation('modelsPage');
  const queries = useQueryClient();
  const { failed } = useNotify();
  const drain = useMutation({
    mutationFn: (body: { readonly base_url: string; readonly drained: boolean }) =>
      api.run('PUT', `/servers/${server.id}/drain`, body),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: serversQuery.queryKey }),
        queries.invalidateQueries({ queryKey: servedQuery.queryKey }),
      ]),
    onError: failed,
  });
  const one = server.addresses.length === 1;
  return server.addresses.map(({ base_url: url, drained }, at) => (
    <Menu.Item
      key={`${at} ${url}`}
      leftSection={drained ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
      onClick={() => drain.mutate({ base_url: url, drained: !drained })}
    >
      {t(drained ? 'put_back' : 'drain')}
      {one ? null : (
        <Text span size="xs" c="dimmed" ff="monospace" display="block">
          {url}
        </Text>
      )}
    </Menu.Item>
  ));
}
