import {
  type DescriptionChange,
  DescriptionPreview,
  ToolServer as Form,
  type ToolServer,
} from '@ai-studio/contract/console/agents.ts';
import { Alert, Badge, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { LoadingPage } from '../../parts/loading.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { toolServersQuery } from './queries.ts';
import { SaveFailure } from './save-failure.tsx';

const colors = { added: 'green', removed: 'red', changed: 'blue' } as const;

function Change({ change: one }: { readonly change: DescriptionChange }) {
  const { t } = useTranslation('toolsPage');
  const { change, name, operation, was, description, request, arguments: given } = one;
  const details = [
    ...(description ? [t('document.words')] : []),
    ...given.map((argument) => t(`document.argument_${argument.change}`, { name: argument.name })),
    ...(request && was === null && given.length === 0 ? [t('document.request')] : []),
  ];
  return (
    <Stack component="li" gap={4}>
      <Group gap="xs">
        <Badge variant="light" color={colors[change]} tt="none">
          {t(`document.${change}`)}
        </Badge>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }} lang="">
          {name}
        </Text>
        <Code style={{ overflowWrap: 'anywhere' }}>{was === null ? operation : `${was} → ${operation}`}</Code>
      </Group>
      {details.length === 0 ? null : (
        <Text size="xs" c="dimmed">
          {details.join(' · ')}
        </Text>
      )}
    </Stack>
  );
}

interface PreviewProps {
  readonly server: ToolServer;
  readonly preview: DescriptionPreview;
}

/** What taking it in would do. */
function Changes({ server: { used_by: users }, preview: { changes, left_out: leftOut } }: PreviewProps) {
  const { t } = useTranslation('toolsPage');
  const touches = changes.some(({ change }) => change !== 'added');
  return (
    <>
      <Text size="sm">{t('document.hint')}</Text>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('document.changes')}>
        {changes.map((one) => (
          <Change key={`${one.change} ${one.name}`} change={one} />
        ))}
      </Stack>
      {leftOut.length === 0 ? null : (
        <Text size="sm" c="dimmed">
          {t('left_out', { count: leftOut.length, names: leftOut.join(', ') })}
        </Text>
      )}
      {touches && users.length > 0 ? (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {t('document.used', { names: users.map(({ name }) => name).join(', ') })}
        </Alert>
      ) : null}
    </>
  );
}

interface DescriptionDialogProps {
  readonly server: ToolServer;
  readonly onClose: () => void;
}

function Body({ server, onClose }: DescriptionDialogProps) {
  const { t } = useTranslation('toolsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done } = useNotify();
  const path = `/agent-servers/${server.id}/description`;
  const preview = useQuery({
    queryKey: ['agent-servers', server.id, 'description'],
    queryFn: () => api.post(path, {}, DescriptionPreview),
    // Each opening of the dialog fetches it, and nothing else does.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const take = useMutation({
    mutationFn: (hash: string) => api.post(`${path}/take`, { hash }, Form),
    async onSuccess({ name }) {
      onClose();
      done(t('document.taken', { name }));
      await queries.invalidateQueries({ queryKey: toolServersQuery.queryKey, exact: true });
    },
  });
  const error = take.error ?? preview.error;
  const changes = preview.data?.changes ?? [];
  const again = () => {
    take.reset();
    void preview.refetch();
  };
  return (
    <Stack gap="md">
      <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {server.description_url}
      </Text>
      {preview.isFetching ? <LoadingPage /> : null}
      <SaveFailure error={error} />
      {preview.data === undefined || preview.isFetching || preview.isError ? null : changes.length === 0 ? (
        <Text size="sm" role="status">
          {t('document.same')}
        </Text>
      ) : (
        <Changes server={server} preview={preview.data} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {common(changes.length === 0 && error === null ? 'close' : 'cancel')}
        </Button>
        {error === null ? null : <Button onClick={again}>{t('document.again')}</Button>}
        {error === null && changes.length > 0 && preview.data !== undefined ? (
          <Button loading={take.isPending} disabled={preview.isFetching} onClick={() => take.mutate(preview.data.hash)}>
            {t('document.take')}
          </Button>
        ) : null}
      </Group>
    </Stack>
  );
}

/** Fetches the document of an HTTP service again, and shows what is new before it is taken in. */
export function DescriptionDialog({
  server,
  onClose,
}: Omit<DescriptionDialogProps, 'server'> & { readonly server: ToolServer | null }) {
  const { t } = useTranslation('toolsPage');
  return (
    <Modal
      opened={server !== null}
      onClose={onClose}
      title={t('document.title', { name: server?.name ?? '' })}
      size="lg"
    >
      {server === null ? null : <Body server={server} onClose={onClose} />}
    </Modal>
  );
}
