import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { pathOf } from './queries.ts';

/** How far a change of all documents is; one that failed is tried again or given up. */
export function ReindexNotice({ collection }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collectionsPage');
  const { percent } = useFormat();
  const queries = useQueryClient();
  const { failed } = useNotify();
  const { collection_id: id, reindex, may_change: mayChange } = collection;
  const { mutate, isPending } = useMutation({
    mutationFn: (act: 'retry' | 'discard') => api.run(act === 'retry' ? 'POST' : 'DELETE', `${pathOf(id)}/reindex`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['collection', id], exact: true }),
    onError: failed,
  });
  if (reindex === null) return null;
  const isFailed = reindex.state === 'failed';
  const discard = (
    <Button size="compact-sm" variant="default" loading={isPending} onClick={() => mutate('discard')}>
      {t('reindex_discard')}
    </Button>
  );
  return isFailed ? (
    <Alert variant="light" color="red" role="alert" icon={<IconInfoCircle size={18} aria-hidden />}>
      <Stack gap="sm">
        <Text size="sm">{t('reindex_failed', { reason: reindex.reason ?? '–' })}</Text>
        {mayChange ? (
          <Group gap="sm">
            <Button size="compact-sm" loading={isPending} onClick={() => mutate('retry')}>
              {t('reindex_retry')}
            </Button>
            {discard}
          </Group>
        ) : null}
      </Stack>
    </Alert>
  ) : (
    <Alert variant="light" role="status" icon={<IconInfoCircle size={18} aria-hidden />}>
      <Stack gap={6}>
        <Group justify="space-between" gap="sm">
          <Text size="sm">
            {t('reindexing', { model: reindex.embedding_model })} {percent(reindex.progress)}
          </Text>
          {mayChange ? discard : null}
        </Group>
        {reindex.reason === null ? null : <Text size="sm">{t('reindex_waits', { reason: reindex.reason })}</Text>}
        <Progress value={reindex.progress * 100} size="sm" animated aria-label={t('reindex')} />
      </Stack>
    </Alert>
  );
}
