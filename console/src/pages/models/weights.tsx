import type { Weights } from '@ai-studio/contract/console/models.ts';
import { ActionIcon, Badge, Button, Group, Menu, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAdjustments,
  IconDownload,
  IconPin,
  IconPinnedOff,
  IconPlayerPlay,
  IconPlayerStop,
  IconTag,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useMe } from '../../api/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { GetModel } from './get-model.tsx';
import classes from './models.module.css';
import { KindBadge } from './kind-badge.tsx';
import { weightsQuery } from './queries.ts';
import { useReason } from './localized.ts';

/** Fetched when it is opened. */
const EmbedderSettingsDialog = lazy(async () => ({
  default: (await import('./embedder-settings.tsx')).EmbedderSettingsDialog,
}));

const NameModel = lazy(async () => ({ default: (await import('./name-model.tsx')).NameModel }));
const RemoveModel = lazy(async () => ({ default: (await import('./remove-model.tsx')).RemoveModel }));

const colors = {
  absent: 'gray',
  downloading: 'blue',
  verifying: 'blue',
  arriving: 'blue',
  ready: 'gray',
  loading: 'yellow',
  loaded: 'green',
  failed: 'red',
} as const;

function State({ model }: { readonly model: Weights }) {
  const { t } = useTranslation('modelsPage');
  const { percent, bytes, duration } = useFormat();
  const reason = useReason()(model);
  const { state, progress, bytes_per_second: speed, seconds_left: left } = model;
  return (
    <Stack gap={4} miw={100}>
      <Group gap={6}>
        <Badge variant="light" color={colors[state]} tt="none">
          {t(state === 'absent' ? 'states.stopped' : `states.${state}`)}
        </Badge>
        {progress === null ? null : <Text size="xs">{percent(progress)}</Text>}
        {model.pinned ? <IconPin size={14} aria-label={t('pinned')} /> : null}
      </Group>
      {progress === null ? null : <Progress size="xs" value={progress * 100} aria-label={t(`states.${state}`)} />}
      {speed === null || speed === 0 ? null : (
        <Text size="xs" c="dimmed">
          {t('speed', { speed: bytes(speed) })}
          {left === null ? '' : ` · ${t('time_left', { time: duration(left * 1000) })}`}
        </Text>
      )}
      {reason === null ? null : (
        <Text size="xs" c={state === 'failed' ? 'red' : 'dimmed'}>
          {reason}
        </Text>
      )}
      {model.verified === false ? (
        <Text size="xs" c="dimmed">
          {t('not_verified')}
        </Text>
      ) : null}
    </Stack>
  );
}

interface ActionsProps {
  readonly model: Weights;
  readonly onConfigure: (model: Weights) => void;
  readonly onName: (model: Weights) => void;
  readonly onRemove: (model: Weights) => void;
}

function Actions({ model, onConfigure, onName, onRemove }: ActionsProps) {
  const { t } = useTranslation('modelsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { failed } = useNotify();
  const { mutate: resume } = useMutation({
    // Who began the download has confirmed it.
    mutationFn: () => api.run('POST', '/weights/pull', { what: model.resume, unverified: true }),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: weightsQuery.queryKey }),
  });
  const { mutate } = useMutation({
    mutationFn: ({ verb, body }: { readonly verb: 'cancel' | 'load' | 'unload' | 'pin'; readonly body?: object }) =>
      api.run('POST', `/weights/${encodeURIComponent(model.id)}/${verb}`, body ?? {}),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: weightsQuery.queryKey }),
  });
  if (model.state === 'downloading' || model.state === 'verifying') {
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('cancel', { name: model.name })}
        onClick={() => mutate({ verb: 'cancel' })}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    );
  }
  // A file that is no whole model can only be removed; a lack of memory may pass.
  const whole = model.state !== 'arriving' && model.reason_code?.startsWith('file_') !== true;
  const usable = model.local_id !== null && whole;
  const inMemory = model.state === 'loaded' || model.state === 'loading';
  return (
    <RowMenu label={t('more', { name: model.name })}>
      {model.resume === null ? null : (
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => resume()}>
          {t('resume')}
        </Menu.Item>
      )}
      {!usable ? null : inMemory ? (
        <Menu.Item leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={() => mutate({ verb: 'unload' })}>
          {t('unload')}
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => mutate({ verb: 'load' })}>
          {t('load')}
        </Menu.Item>
      )}
      {usable || model.pinned ? (
        <Menu.Item
          leftSection={model.pinned ? <IconPinnedOff size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
          onClick={() => mutate({ verb: 'pin', body: { pinned: !model.pinned } })}
        >
          {t(model.pinned ? 'unpin' : 'pin')}
        </Menu.Item>
      ) : null}
      {usable ? (
        <Menu.Item leftSection={<IconTag size={16} aria-hidden />} onClick={() => onName(model)}>
          {t('give_name')}
        </Menu.Item>
      ) : null}
      {usable && model.embedding !== null ? (
        <Menu.Item leftSection={<IconAdjustments size={16} aria-hidden />} onClick={() => onConfigure(model)}>
          {t('embedder_settings')}
        </Menu.Item>
      ) : null}
      {usable || model.pinned || model.resume !== null ? <Menu.Divider /> : null}
      <Menu.Item
        color="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => onRemove(model)}
      >
        {common('remove')}
      </Menu.Item>
    </RowMenu>
  );
}

function useColumns(acts: Omit<ActionsProps, 'model'> | null): Column<Weights>[] {
  const { t } = useTranslation('modelsPage');
  const { bytes } = useFormat();
  const actions: Column<Weights> = {
    key: 'actions',
    header: t('actions'),
    hiddenHeader: true,
    align: 'end',
    width: 48,
    cell: (model) => (acts === null ? null : <Actions model={model} {...acts} />),
  };
  return [
    {
      key: 'name',
      header: t('model'),
      sort: ({ name }) => name,
      cell: (model) => (
        <Stack gap={2} miw={90}>
          <Group gap="xs">
            <Text size="sm" fw={600} className={classes['name'] ?? ''}>
              {model.name}
            </Text>
            <KindBadge kind={model.kind} />
          </Group>
          {model.local_id === null || model.local_id === model.name ? null : (
            <Text size="xs" c="dimmed">
              {model.local_id}
            </Text>
          )}
          {model.bound_to.length === 0 ? null : (
            <Text size="xs" c="dimmed">
              {t('serves', { ids: model.bound_to.join(', ') })}
            </Text>
          )}
        </Stack>
      ),
    },
    { key: 'state', header: t('state'), sort: ({ state }) => state, cell: (model) => <State model={model} /> },
    {
      key: 'size',
      header: t('size'),
      align: 'end',
      from: 'sm',
      sort: (model) => model.size_bytes,
      cell: ({ size_bytes: size }) => (size === null ? '' : bytes(size)),
    },
    {
      key: 'memory',
      header: t('memory'),
      align: 'end',
      from: 'md',
      sort: (model) => model.memory_bytes,
      cell: ({ memory_bytes: size }) => (size === null ? '' : bytes(size)),
    },
    ...(acts === null ? [] : [actions]),
  ];
}

interface MemoryProps {
  readonly used: number;
  readonly budget: number;
}

function Memory({ used, budget }: MemoryProps) {
  const { t } = useTranslation('modelsPage');
  const { bytes } = useFormat();
  return (
    <Stack gap={4} w={260}>
      <Text size="sm">{t('memory_used', { used: bytes(used), budget: bytes(budget) })}</Text>
      <Progress value={budget === 0 ? 0 : (used / budget) * 100} aria-label={t('memory')} size="sm" />
    </Stack>
  );
}

/** Model files of this machine. */
export function LocalModels() {
  const { t } = useTranslation('modelsPage');
  const mayManage = useMe().actions.includes('models.manage');
  const [opened, { open, close }] = useDisclosure(false);
  const [removed, setRemoved] = useState<Weights | null>(null);
  const [named, setNamed] = useState<Weights | null>(null);
  const [configured, setConfigured] = useState<Weights | null>(null);
  const acts = { onConfigure: setConfigured, onName: setNamed, onRemove: setRemoved };
  const columns = useColumns(mayManage ? acts : null);
  const get = mayManage ? (
    <Button leftSection={<IconDownload size={16} aria-hidden />} onClick={open}>
      {t('get')}
    </Button>
  ) : null;
  return (
    <>
      <Loaded query={useQuery(weightsQuery)}>
        {({ items, folder, memory_budget_bytes: budget, memory_used_bytes: used }) => {
          const installed = items.filter(({ state, resume }) => state !== 'absent' || resume !== null);
          return (
            <Stack gap="md">
              <Group justify="space-between">
                <Memory used={used} budget={budget} />
                {get}
              </Group>
              {installed.length === 0 ? (
                <EmptyState title={t('none_here')} hint={t('none_here_hint', { folder })} action={get} />
              ) : (
                <DataTable
                  label={t('local')}
                  columns={columns}
                  rows={installed}
                  rowKey={({ id }) => id}
                  pageSize={25}
                  minWidth={0}
                />
              )}
            </Stack>
          );
        }}
      </Loaded>
      <GetModel opened={opened} onClose={close} />
      <Suspense>
        {named === null ? null : <NameModel model={named} onClose={() => setNamed(null)} />}
        {removed === null ? null : <RemoveModel model={removed} onClose={() => setRemoved(null)} />}
      </Suspense>
      <Suspense>
        {configured === null ? null : <EmbedderSettingsDialog model={configured} onClose={() => setConfigured(null)} />}
      </Suspense>
    </>
  );
}
