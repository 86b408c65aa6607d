import { Connector, ConnectorRun, type ConnectorList } from '@ai-studio/contract/retrieval/connector.ts';
import { Alert, Badge, Button, Group, Menu, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTestPipe,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { RowMenu } from '../../../parts/row-menu.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { connectorPath } from './queries.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { RunDetails, RunSummary } from './run-view.tsx';
import { Runs } from './runs.tsx';
import { useSchedule } from './use-schedule.ts';

interface CardProps {
  readonly connector: Connector;
  readonly allowed: Omit<ConnectorList, 'items'>;
}

/** What can be done with a connection; each is told of by the list, which is read anew. */
function useActs({ collection_id: id, connector_id: connectorId }: Connector) {
  const queries = useQueryClient();
  const { failed } = useNotify();
  const path = connectorPath(id, connectorId);
  const { mutate, isPending } = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['collection', id] }),
  });
  const run = (body: object) => mutate(() => api.post(`${path}/runs`, body, ConnectorRun));
  return {
    isPending,
    sync: () => run({}),
    test: () => run({ dry: true }),
    removeAll: () => run({ removes_all: true }),
    stop: () => mutate(() => api.post(`${path}/cancel`, undefined, Connector)),
    pause: (paused: boolean) => mutate(() => api.patch(path, { paused }, Connector)),
  };
}

interface ActsProps {
  readonly connector: Connector;
  readonly acts: ReturnType<typeof useActs>;
}

function MainActs({ connector, acts }: ActsProps) {
  const { t } = useTranslation('connections');
  const { last_run: last, paused, every_minutes: every, removing } = connector;
  if (removing) return null;
  if (last?.state === 'running')
    return (
      <Button
        size="compact-sm"
        variant="default"
        loading={acts.isPending}
        leftSection={<IconX size={14} aria-hidden />}
        onClick={acts.stop}
      >
        {t('stop')}
      </Button>
    );
  const rests = paused && every !== null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={acts.isPending}
        leftSection={<IconTestPipe size={14} aria-hidden />}
        onClick={acts.test}
      >
        {t('test')}
      </Button>
      <Button
        size="compact-sm"
        variant={rests ? 'default' : 'filled'}
        loading={acts.isPending}
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={acts.sync}
      >
        {t('sync')}
      </Button>
      {rests ? (
        <Button
          size="compact-sm"
          loading={acts.isPending}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          onClick={() => acts.pause(false)}
        >
          {t('begin')}
        </Button>
      ) : null}
    </>
  );
}

function Head({ connector }: Pick<CardProps, 'connector'>) {
  const { t } = useTranslation('connections');
  const { number } = useFormat();
  const scheduleOf = useSchedule();
  const { name, settings, access, every_minutes: every, next_at: next, paused, removing, documents } = connector;
  return (
    <Stack gap={2}>
      <Group gap="sm">
        <Title order={3} size="h5">
          {name}
        </Title>
        <Badge variant="light" color="gray" tt="none">
          {t(`kinds.${settings.kind}`)}
        </Badge>
        {access === 'source' ? (
          <Badge variant="light" color="grape" tt="none">
            {t('access_choices.source')}
          </Badge>
        ) : null}
        {paused && every !== null && !removing ? (
          <Badge variant="light" color="yellow" tt="none">
            {t('paused')}
          </Badge>
        ) : null}
        {removing ? (
          <Badge variant="light" color="red" tt="none">
            {t('removing')}
          </Badge>
        ) : null}
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('place_of', { place: placeOf(settings), documents: number(documents) })}
      </Text>
      <Text size="sm" c="dimmed">
        {scheduleOf(every)}
        {next === null ? null : (
          <>
            {' · '}
            {t('next')} <RelativeTime at={next} />
          </>
        )}
      </Text>
    </Stack>
  );
}

/** A folder of Google Drive, or a shared drive, which has the address of its topmost folder. */
const driveOf = (id: string | undefined) =>
  id === undefined ? 'https://drive.google.com/' : `https://drive.google.com/drive/folders/${id}`;

/** Where a source lies. */
function placeOf(settings: Connector['settings']): string {
  if (settings.kind === 'folder') return settings.path;
  if (settings.kind === 's3') return `${settings.endpoint}/${settings.bucket}/${settings.prefix}`;
  if (settings.kind === 'sharepoint') return settings.site ?? settings.user ?? settings.tenant;
  if (settings.kind === 'google_drive') return driveOf(settings.folder ?? settings.drive);
  return 'host' in settings ? `${settings.host}:${settings.port}/${settings.database}` : settings.url;
}

function More({ connector, acts, ...on }: ActsProps & Readonly<Record<'onEdit' | 'onRuns' | 'onRemove', () => void>>) {
  const { t } = useTranslation('connections');
  const { name, paused, every_minutes: every, removing } = connector;
  return (
    <RowMenu label={t('actions_for', { name })}>
      <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={on.onRuns}>
        {t('runs')}
      </Menu.Item>
      {removing ? null : (
        <>
          {every === null ? null : (
            <Menu.Item
              leftSection={
                paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
              }
              onClick={() => acts.pause(!paused)}
            >
              {t(paused ? 'begin' : 'pause')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={on.onEdit}>
            {t('edit')}
          </Menu.Item>
          <Menu.Divider />
        </>
      )}
      <Menu.Item
        color="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={on.onRemove}
      >
        {t('remove')}
      </Menu.Item>
    </RowMenu>
  );
}

/** A connection: where its source lies, how its last run went, and what can be done with it. */
export function ConnectionCard({ connector, allowed }: CardProps) {
  const { t } = useTranslation('connections');
  const { number } = useFormat();
  const acts = useActs(connector);
  const [edits, edit] = useDisclosure(false);
  const [removes, remove] = useDisclosure(false);
  const [history, runs] = useDisclosure(false);
  const { last_run: last, removing, name } = connector;
  const isRunning = last?.state === 'running';
  return (
    <Paper withBorder radius="md" p="md" component="li" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Head connector={connector} />
          <Group gap="xs">
            <MainActs connector={connector} acts={acts} />
            <More connector={connector} acts={acts} onEdit={edit.open} onRuns={runs.open} onRemove={remove.open} />
          </Group>
        </Group>
        {isRunning ? <Progress value={100} animated aria-label={t(removing ? 'removing' : 'states.running')} /> : null}
        {last === null ? null : (
          <>
            <RunSummary run={last} />
            {last.held_back > 0 && !isRunning ? (
              <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
                <Stack gap="xs" align="flex-start">
                  <Text size="sm">{t('held_back', { documents: number(last.held_back) })}</Text>
                  {removing ? null : (
                    <Button size="compact-sm" color="red" variant="light" onClick={acts.removeAll}>
                      {t('remove_all')}
                    </Button>
                  )}
                </Stack>
              </Alert>
            ) : null}
            <RunDetails run={last} />
          </>
        )}
      </Stack>
      {edits ? (
        <ConnectionForm
          opened
          collectionId={connector.collection_id}
          connector={connector}
          allowed={allowed}
          onClose={edit.close}
        />
      ) : null}
      {removes ? <RemoveDialog opened connector={connector} onClose={remove.close} /> : null}
      {history ? <Runs connector={connector} onClose={runs.close} /> : null}
    </Paper>
  );
}
