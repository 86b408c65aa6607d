import { type Weights, WeightsCollections } from '@ai-studio/contract/console/models.ts';
import { List, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { weightsQuery } from './queries.ts';

/** Collections that would be without their model. */
function Needed({ needed: { names, others } }: { readonly needed: WeightsCollections }) {
  const { t } = useTranslation('modelsPage');
  if (names.length + others === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} c="var(--mantine-color-error)">
        {t('remove_needed')}
      </Text>
      <List size="sm">
        {names.map((name, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <List.Item key={at}>{name}</List.Item>
        ))}
        {others === 0 ? null : <List.Item>{t('remove_needed_others', { count: others })}</List.Item>}
      </List>
    </Stack>
  );
}

/** Asks before a model file is deleted, and says which collections need it. */
export function RemoveModel({ model, onClose }: { readonly model: Weights | null; readonly onClose: () => void }) {
  const { t } = useTranslation('modelsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const path = `/weights/${encodeURIComponent(model?.id ?? '')}`;
  const needed = useQuery({
    queryKey: ['weights', model?.id, 'collections'],
    queryFn: ({ signal }) => api.get(`${path}/collections`, WeightsCollections, { signal }),
    enabled: model !== null,
    staleTime: 0,
  });
  // What was not shown is not agreed to.
  const isUsed = (needed.data?.names.length ?? 0) + (needed.data?.others ?? 0) > 0;
  return (
    <ConfirmDialog
      opened={model !== null}
      title={t('remove')}
      confirmLabel={common('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await api.run('DELETE', isUsed ? `${path}?used=true` : path);
        await queries.invalidateQueries({ queryKey: weightsQuery.queryKey });
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {t(model?.local_id === null ? 'remove_part_hint' : 'remove_hint', { name: model?.name ?? '' })}
        </Text>
        <Loaded query={needed}>{(known) => <Needed needed={known} />}</Loaded>
      </Stack>
    </ConfirmDialog>
  );
}
