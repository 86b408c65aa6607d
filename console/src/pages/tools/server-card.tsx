import { type ToolServer, ToolServer as Form } from '@ai-studio/contract/console/agents.ts';
import { Alert, Anchor, Badge, Code, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconFileDownload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { ServerMenu } from '../../parts/server-menu.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { toolServersQuery } from './queries.ts';
import { ToolList } from './tool-list.tsx';

const colors = { ready: 'green', failed: 'red' } as const;

interface ServerCardProps {
  readonly server: ToolServer;
  readonly onChange: (server: ToolServer) => void;
  readonly onRemove: (server: ToolServer) => void;
  readonly onFetch: (server: ToolServer) => void;
}

function Actions({ server, onChange, onRemove, onFetch }: ServerCardProps) {
  const { t } = useTranslation('toolsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  const mayChange = hasPermission(useMe(), ['agents.approve']);
  const refresh = useMutation({
    mutationFn: () => api.post(`/agent-servers/${server.id}/refresh`, {}, Form),
    async onSuccess({ name, state }) {
      if (state === 'ready') done(t('checked', { name }));
      await queries.invalidateQueries({ queryKey: toolServersQuery.queryKey });
    },
    onError: failed,
  });
  return (
    <ServerMenu
      label={t('more', { name: server.name })}
      refreshLabel={t('check_again')}
      removeLabel={common('remove')}
      onRefresh={() => refresh.mutate()}
      change={mayChange ? { onEdit: () => onChange(server), onRemove: () => onRemove(server) } : undefined}
    >
      {mayChange && server.description_url !== null ? (
        <Menu.Item leftSection={<IconFileDownload size={16} aria-hidden />} onClick={() => onFetch(server)}>
          {t('document.fetch')}
        </Menu.Item>
      ) : null}
    </ServerMenu>
  );
}

/** Why a server could not be asked. */
function Failure({ failure: { problem, values } }: { readonly failure: NonNullable<ToolServer['failure']> }) {
  const { t } = useTranslation('toolsPage');
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} title={t('failure')}>
      {t(`problems.${problem}`, { status: '', most: '', version: '', ...values })}
      {values['said'] === undefined ? null : <Code ml="xs">{values['said']}</Code>}
    </Alert>
  );
}

/** The agents that use a server, each a way to it. */
function Users({ users }: { readonly users: ToolServer['used_by'] }) {
  const { t } = useTranslation('toolsPage');
  if (users.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('used_by_none')}
      </Text>
    );
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        {t('used_by')}
      </Text>
      {users.map(({ id, name }) => (
        <Anchor
          key={id}
          size="sm"
          underline="always"
          renderRoot={(props) => <Link {...props} to="/agents/$agentId" params={{ agentId: id }} />}
        >
          {name}
        </Anchor>
      ))}
    </Group>
  );
}

/** A tool server with its state and its tools. */
export function ServerCard(props: ServerCardProps) {
  const { server } = props;
  const { t } = useTranslation('toolsPage');
  return (
    <Paper withBorder radius="md" p="md" component="section" aria-label={server.name}>
      <Stack gap="md">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Stack gap={4} miw={0}>
            <Group gap="xs">
              <Title order={2} size="h4" lang="" style={{ overflowWrap: 'anywhere' }}>
                {server.name}
              </Title>
              <Badge variant="light" color={colors[server.state]} tt="none">
                {t(`states.${server.state}`)}
              </Badge>
              <Badge variant="default" tt="none">
                {t(`kinds.${server.kind}`)}
              </Badge>
              <Text size="sm" c="dimmed">
                {t('tools_count', { count: server.tools.length })}
              </Text>
            </Group>
            <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {server.url}
            </Text>
            {server.description_url === null ? null : (
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {t('document.from')} <Code>{server.description_url}</Code>
              </Text>
            )}
          </Stack>
          <Actions {...props} />
        </Group>
        {server.failure === null ? null : <Failure failure={server.failure} />}
        {server.left_out.length === 0 ? null : (
          <Text size="sm" c="dimmed">
            {t('left_out', { count: server.left_out.length, names: server.left_out.join(', ') })}
          </Text>
        )}
        {server.headers.length === 0 ? null : (
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {t('headers')}
            </Text>
            {server.headers.map((name) => (
              <Code key={name}>{name}</Code>
            ))}
          </Group>
        )}
        <Users users={server.used_by} />
        <ToolList server={server} />
      </Stack>
    </Paper>
  );
}
