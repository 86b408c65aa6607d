import { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Button, Menu, Stack, Text } from '@mantine/core';
import { IconEye, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { forEachConcurrently } from '../../api/for-each-concurrently.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { pathOf } from './queries.ts';

interface BulkActionsProps {
  readonly chosen: readonly ConsoleCollection[];
  readonly onDone: () => void;
}

const visibilities = ['private', 'tenant'] as const;

/** What can be done with collections that are selected: who may search them, and away with them. */
export function BulkActions({ chosen, onDone }: BulkActionsProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const { number } = useFormat();
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  const [removes, setRemoves] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: ['collections'] });
  const { mutate: show, isPending } = useMutation({
    mutationFn: (visibility: (typeof visibilities)[number]) =>
      forEachConcurrently(chosen, ({ collection_id: id }) => api.patch(pathOf(id), { visibility }, ConsoleCollection)),
    onSuccess(_, visibility) {
      done(t(`bulk.shown.${visibility}`, { count: chosen.length }));
      onDone();
    },
    onError: failed,
    onSettled: refresh,
  });
  return (
    <>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <Button size="xs" variant="default" loading={isPending} leftSection={<IconEye size={14} aria-hidden />}>
            {t('visibility')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {visibilities.map((visibility) => (
            <Menu.Item key={visibility} onClick={() => show(visibility)}>
              {t(`visibilities.${visibility}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setRemoves(true)}
      >
        {common('remove')}
      </Button>
      <ConfirmDialog
        opened={removes}
        title={t('bulk.remove')}
        confirmLabel={common('remove')}
        typed={common('remove')}
        onClose={() => setRemoves(false)}
        onConfirm={async () => {
          try {
            await forEachConcurrently(chosen, ({ collection_id: id }) => api.run('DELETE', pathOf(id)));
          } finally {
            await refresh();
          }
          done(t('bulk.removed', { count: chosen.length }));
          onDone();
        }}
      >
        <Stack gap="xs" mb="sm">
          <Text size="sm">
            {t('bulk.remove_text', {
              count: chosen.length,
              documents: number(chosen.reduce((sum, { document_count: count }) => sum + count, 0)),
            })}
          </Text>
          <Text size="sm" fw={600}>
            {chosen.map(({ collection_name: name }) => name).join(', ')}
          </Text>
        </Stack>
      </ConfirmDialog>
    </>
  );
}
