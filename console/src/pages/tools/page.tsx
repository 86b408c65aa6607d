import type { ToolServer } from '@ai-studio/contract/console/agents.ts';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlus, IconTools } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { LoadingPage } from '../../parts/loading.tsx';
import { api } from '../../api/client.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { DescriptionDialog } from './description-dialog.tsx';
import { toolServersQuery } from './queries.ts';
import { ServerCard } from './server-card.tsx';
import { ServerDialog } from './server-form.tsx';

interface RemoveDialogProps {
  readonly server: ToolServer | null;
  readonly onClose: () => void;
}

function RemoveDialog({ server, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('toolsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const users = server?.used_by ?? [];
  return (
    <ConfirmDialog
      opened={server !== null}
      title={t('remove')}
      confirmLabel={common('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await api.run('DELETE', `/agent-servers/${server?.id ?? ''}`);
        await queries.invalidateQueries({ queryKey: toolServersQuery.queryKey });
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('remove_hint', { name: server?.name ?? '', count: server?.tools.length ?? 0 })}</Text>
        {users.length === 0 ? null : (
          <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
            {t('remove_used', { names: users.map(({ name }) => name).join(', ') })}
          </Alert>
        )}
      </Stack>
    </ConfirmDialog>
  );
}

function ToolsPage() {
  const { t } = useTranslation('toolsPage');
  const { t: page } = useTranslation('tools');
  const mayAdd = hasPermission(useMe(), ['agents.approve']);
  const query = useQuery(toolServersQuery);
  const [shown, setShown] = useState<{ readonly server: ToolServer | null } | null>(null);
  const [removed, setRemoved] = useState<ToolServer | null>(null);
  const [fetched, setFetched] = useState<ToolServer | null>(null);
  const add = mayAdd ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setShown({ server: null })}>
      {t('add')}
    </Button>
  ) : null;
  const some = (query.data?.items.length ?? 0) > 0;
  return (
    <>
      <PageHeader title={page('title')} description={t('description')} {...(some ? { actions: add } : {})} />
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={IconTools}
              title={t('none')}
              hint={t(mayAdd ? 'none_hint' : 'none_hint_others')}
              action={add}
            />
          ) : (
            <Stack gap="md">
              {items.map((server) => (
                <ServerCard
                  key={server.id}
                  server={server}
                  onChange={(one) => setShown({ server: one })}
                  onRemove={setRemoved}
                  onFetch={setFetched}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <ServerDialog
        key={shown === null ? 'closed' : (shown.server?.id ?? 'new')}
        opened={shown !== null}
        server={shown?.server ?? null}
        onClose={() => setShown(null)}
      />
      <DescriptionDialog server={fetched} onClose={() => setFetched(null)} />
      <RemoveDialog server={removed} onClose={() => setRemoved(null)} />
    </>
  );
}

/** Servers whose tools agents may call. */
export function Page() {
  return useLazyNamespace('toolsPage') ? <ToolsPage /> : <LoadingPage />;
}
