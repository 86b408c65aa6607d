import type { ServedModel } from '@ai-studio/contract/console/models.ts';
import { Badge, Button, Group, Modal, Select, Stack, Text, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useMe } from '../../api/session.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { RichTable } from '../../parts/table/rich-table.tsx';
import type { Column } from '../../parts/table/table-row.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { EmbedderFacts } from './embedder-facts.tsx';
import { KindBadge } from './kind-badge.tsx';
import classes from './models.module.css';
import { servedQuery, weightsQuery } from './queries.ts';
import { useReason } from './localized.ts';

const colors = { healthy: 'green', unhealthy: 'red', unknown: 'gray' } as const;

/** What has a reason of its own and is no engine that was asked is a file: nobody waits for its answer. */
const isOfFile = (state: string, code: string | null) =>
  state === 'unhealthy' && code !== null && !code.startsWith('engine_');

function Engines({ model }: { readonly model: ServedModel }) {
  const { t } = useTranslation('modelsPage');
  const reasonOf = useReason();
  if (model.builtin) {
    return (
      <Badge variant="light" color="orange" tt="none">
        {t('builtin')}
      </Badge>
    );
  }
  return (
    <Stack gap={4}>
      {model.engines.map(({ name, model: there, state, in_flight: busy, ...why }) => (
        <Group key={`${name} ${there}`} gap={6}>
          <Tooltip label={reasonOf(why) ?? t(`states.${state}`)} multiline maw={320}>
            <Badge variant="light" color={colors[state]} tt="none">
              {t(isOfFile(state, why.reason_code) ? 'states.failed' : `states.${state}`)}
            </Badge>
          </Tooltip>
          <Text size="sm" className={classes['name'] ?? ''}>
            {name} · {there}
          </Text>
          {busy > 0 ? (
            <Text size="xs" c="dimmed">
              {t('in_flight', { count: busy })}
            </Text>
          ) : null}
        </Group>
      ))}
    </Stack>
  );
}

interface BindProps {
  readonly model: ServedModel;
  readonly onClose: () => void;
}

function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: servedQuery.queryKey }),
      queries.invalidateQueries({ queryKey: weightsQuery.queryKey }),
    ]);
}

function BindForm({ model, onClose }: BindProps) {
  const { t } = useTranslation('modelsPage');
  const refresh = useRefresh();
  const { data } = useQuery(weightsQuery);
  const [chosen, setChosen] = useState(model.bound_to);
  const options = (data?.items ?? []).flatMap(({ local_id: id, name, kind, state, reason_code: code }) =>
    // Of those that failed only a lack of memory and the like may pass.
    id !== null && kind === model.kind && state !== 'arriving' && (state !== 'failed' || code === 'model_memory')
      ? [{ value: id, label: name === id ? id : `${name} (${id})` }]
      : [],
  );
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.run('POST', `/models/${encodeURIComponent(model.id)}/binding`, { local_id: chosen }),
    async onSuccess() {
      onClose();
      await refresh();
    },
  });
  return (
    <DialogForm
      error={error}
      saveLabel={t('bind')}
      saving={isPending}
      disabled={chosen === null || chosen === model.bound_to}
      onSave={() => mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('bind_hint', { id: model.id })}</Text>
      <Select
        label={t('local_model')}
        placeholder={options.length === 0 ? t('no_local_models') : ''}
        data={options}
        searchable
        value={chosen}
        onChange={setChosen}
        data-autofocus
      />
    </DialogForm>
  );
}

function Actions({ model, onBind }: { readonly model: ServedModel; readonly onBind: (model: ServedModel) => void }) {
  const { t } = useTranslation('modelsPage');
  const refresh = useRefresh();
  const { failed } = useNotify();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.run('DELETE', `/models/${encodeURIComponent(model.id)}/binding`),
    onSuccess: refresh,
    onError: failed,
  });
  // A local model under a further name is given back by its binding too.
  if (model.origin !== 'catalogue' && model.bound_to === null) return null;
  return (
    <Group gap="xs" justify="flex-end">
      {model.bound_to === null ? null : (
        <Button size="xs" variant="subtle" color="gray" loading={isPending} onClick={() => mutate()}>
          {t('unbind')}
        </Button>
      )}
      {model.origin === 'catalogue' ? (
        <Button size="xs" variant="default" onClick={() => onBind(model)}>
          {t('bind')}
        </Button>
      ) : null}
    </Group>
  );
}

function useColumns(onBind: ((model: ServedModel) => void) | null): Column<ServedModel>[] {
  const { t } = useTranslation('modelsPage');
  const { compact } = useFormat();
  const actions: Column<ServedModel> = {
    key: 'actions',
    header: t('actions'),
    hiddenHeader: true,
    align: 'end',
    cell: (model) => (onBind === null ? null : <Actions model={model} onBind={onBind} />),
  };
  return [
    {
      key: 'id',
      header: t('model'),
      sort: ({ id }) => id,
      cell: ({ id, kind }) => (
        <Group gap="xs" miw={90}>
          <Text size="sm" fw={600} className={classes['name'] ?? ''}>
            {id}
          </Text>
          <KindBadge kind={kind} />
        </Group>
      ),
    },
    { key: 'engines', header: t('served_by'), cell: (model) => <Engines model={model} /> },
    {
      key: 'features',
      header: t('features'),
      from: 'md',
      cell: ({ reasoning, images, embedding }) =>
        embedding === null ? (
          [reasoning === 'none' ? null : t(`reasoning.${reasoning}`), images ? t('images') : null]
            .filter((feature) => feature !== null)
            .join(', ')
        ) : (
          <EmbedderFacts facts={embedding} />
        ),
    },
    {
      key: 'context',
      header: t('context'),
      align: 'end',
      from: 'lg',
      sort: (model) => model.context_length,
      cell: ({ context_length: length }) => (length === null ? '' : compact(length)),
    },
    ...(onBind === null ? [] : [actions]),
  ];
}

const idOf = ({ id }: ServedModel) => id;
const textOf = ({ id, kind, engines }: ServedModel) =>
  [id, kind, ...engines.flatMap(({ name, model }) => [name, model])].join(' ');

/** The ids that clients can name, and what serves each. */
export function Served() {
  const { t } = useTranslation('modelsPage');
  const mayManage = useMe().actions.includes('models.manage');
  const [bound, setBound] = useState<ServedModel | null>(null);
  const columns = useColumns(mayManage ? setBound : null);
  return (
    <>
      <Loaded query={useQuery(servedQuery)}>
        {({ items }) => (
          <RichTable
            name="models"
            label={t('served')}
            columns={columns}
            rows={items}
            rowKey={idOf}
            textOf={textOf}
            minWidth={0}
          />
        )}
      </Loaded>
      <Modal opened={bound !== null} onClose={() => setBound(null)} title={t('bind_title', { id: bound?.id ?? '' })}>
        {bound === null ? null : <BindForm model={bound} onClose={() => setBound(null)} />}
      </Modal>
    </>
  );
}
