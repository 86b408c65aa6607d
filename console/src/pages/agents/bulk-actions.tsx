import type { AgentSummary } from '@ai-studio/contract/console/agents.ts';
import { Button, Stack, Text } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { forEachConcurrently } from '../../api/for-each-concurrently.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useRemovals } from '../../parts/undo/use-removals.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { agentPath } from './queries.ts';

interface BulkActionsProps {
  readonly chosen: readonly AgentSummary[];
  readonly onDone: () => void;
}

const namesOf = (agents: readonly AgentSummary[]) => agents.map(({ name }) => name).join(', ');
const isDeployed = ({ deployed_version_id: deployed }: AgentSummary) => deployed !== null;

/**
 * What can be done with agents that are selected. To put away what nobody calls can be undone; what is deployed ends for its callers at once, so
 * that is asked before, and what cannot be brought back is.
 */
export function BulkActions({ chosen, onDone }: BulkActionsProps) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  const { remove } = useRemovals();
  const approves = hasPermission(useMe(), ['agents.approve']);
  const [asked, setAsked] = useState<'archive' | 'remove' | null>(null);
  const away = chosen.filter(({ state }) => state === 'archived');
  const here = chosen.filter((agent) => agent.state !== 'archived' && (approves || !isDeployed(agent)));
  const post = async (agents: readonly AgentSummary[], verb: 'archive' | 'unarchive') => {
    try {
      await forEachConcurrently(agents, ({ id }) => api.run('POST', `${agentPath(id)}/${verb}`, {}));
    } finally {
      await Promise.all(
        [['agents'], ['agent'], ['agent-reviews'], ['agent-notes'], ['deployed-agents']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
    }
  };
  const archive = () => {
    if (here.some(isDeployed)) setAsked('archive');
    else {
      remove({
        ids: here.map(({ id }) => id),
        message: t('bulk.archived', { count: here.length }),
        act: () => post(here, 'archive'),
      });
      onDone();
    }
  };
  const { mutate: bringBack, isPending } = useMutation({
    mutationFn: () => post(away, 'unarchive'),
    onSuccess() {
      done(t('bulk.unarchived', { count: away.length }));
      onDone();
    },
    onError: failed,
  });
  const iconOf = { size: 14, 'aria-hidden': true } as const;
  return (
    <>
      {here.length === 0 ? null : (
        <Button size="xs" variant="default" leftSection={<IconArchive {...iconOf} />} onClick={archive}>
          {t('acts.archive')}
        </Button>
      )}
      {away.length === 0 ? null : (
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArchiveOff {...iconOf} />}
            loading={isPending}
            onClick={() => bringBack()}
          >
            {t('acts.unarchive')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash {...iconOf} />}
            onClick={() => setAsked('remove')}
          >
            {t('acts.remove')}
          </Button>
        </>
      )}
      <ConfirmDialog
        opened={asked === 'archive'}
        title={t('acts.archive')}
        confirmLabel={t('acts.archive')}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await post(here, 'archive');
          done(t('bulk.archived', { count: here.length }));
          onDone();
        }}
      >
        <Stack gap="xs">
          <Text size="sm">{t('bulk.archive_text', { names: namesOf(here.filter(isDeployed)) })}</Text>
        </Stack>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'remove'}
        title={t('acts.remove')}
        confirmLabel={common('remove')}
        typed={common('remove')}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          try {
            await forEachConcurrently(away, ({ id }) => api.run('DELETE', agentPath(id)));
          } finally {
            await queries.invalidateQueries({ queryKey: ['agents'] });
          }
          done(t('bulk.removed', { count: away.length }));
          onDone();
        }}
      >
        <Text size="sm" mb="sm">
          {t('bulk.remove_text', { count: away.length, names: namesOf(away) })}
        </Text>
      </ConfirmDialog>
    </>
  );
}
