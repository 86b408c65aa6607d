import { type EmbedderSettings, Weights, WeightsCollections } from '@ai-studio/contract/console/models.ts';
import { Alert, Checkbox, Group, Modal, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { servedQuery, weightsQuery } from './queries.ts';

type Embedding = NonNullable<Weights['embedding']>;
type Trial = NonNullable<Embedding['trial']>;

const AUTO = '';
const poolings = ['mean', 'cls', 'last'] as const;
const MIN_TOKENS = 16;
const MAX_TOKENS = 1_048_576;
const MAX_PREFIX_LENGTH = 2_000;

/** What came of the model when it was tried. */
function TrialResult({ trial }: { readonly trial: Trial }) {
  const { t } = useTranslation('modelsPage');
  const { number } = useFormat();
  const { dimension, norm, max_tokens: tokens, prefix_sensitive: sensitive, problem } = trial;
  if (problem !== null || dimension === null)
    return (
      <Alert variant="light" color="red" title={t('tried_failed')}>
        {problem}
      </Alert>
    );
  const facts = [
    t('embedder.dimension', { dimension: number(dimension) }),
    tokens === null ? null : t('embedder.tokens', { tokens: number(tokens) }),
    norm === null ? null : t('embedder.norm', { norm: number(Math.round(norm * 100) / 100) }),
    t(sensitive === true ? 'tried_prefixes_matter' : 'tried_prefixes_same'),
  ].filter((fact) => fact !== null);
  return (
    <Alert variant="light" color="green" title={t('tried')}>
      {facts.join(', ')}
    </Alert>
  );
}

/** Collections whose vectors were made by the model as it was read before. */
function Needed({ id }: { readonly id: string }) {
  const { t } = useTranslation('modelsPage');
  const { data } = useQuery({
    queryKey: ['weights', id, 'collections'],
    queryFn: ({ signal }) => api.get(`/weights/${encodeURIComponent(id)}/collections`, WeightsCollections, { signal }),
  });
  const count = (data?.names.length ?? 0) + (data?.others ?? 0);
  if (count === 0) return null;
  return (
    <Alert variant="light" color="yellow" icon={<IconInfoCircle size={18} aria-hidden />} p="xs">
      <Text size="sm">{t('embedder_needed', { count, names: data?.names.join(', ') ?? '' })}</Text>
    </Alert>
  );
}

interface FormProps {
  readonly model: Weights;
  readonly embedding: Embedding;
  readonly onClose: () => void;
}

function SettingsForm({ model, embedding, onClose }: FormProps) {
  const { t } = useTranslation('modelsPage');
  const queries = useQueryClient();
  const { trial: _before, ...stored } = embedding;
  const [draft, setDraft] = useState<EmbedderSettings>(stored);
  const set = (change: Partial<EmbedderSettings>) => setDraft((before) => ({ ...before, ...change }));
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => api.put(`/weights/${encodeURIComponent(model.id)}/embedding`, draft, Weights),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: servedQuery.queryKey }),
        queries.invalidateQueries({ queryKey: weightsQuery.queryKey }),
      ]),
  });
  const trial = (data ?? model).embedding?.trial ?? null;
  const prefix = (key: 'query_prefix' | 'passage_prefix') => (
    <Stack gap={4}>
      <TextInput
        label={t(key)}
        description={t('prefix_hint')}
        placeholder={t(draft[key] === '' ? 'no_prefix' : 'as_known')}
        maxLength={MAX_PREFIX_LENGTH}
        value={draft[key] ?? ''}
        onChange={({ currentTarget: { value } }) => set({ [key]: value === '' ? null : value })}
      />
      {/* Over the known one, which an empty field stands for. */}
      <Checkbox
        size="xs"
        label={t('no_prefix')}
        aria-label={`${t(key)}: ${t('no_prefix')}`}
        checked={draft[key] === ''}
        onChange={({ currentTarget: { checked } }) => set({ [key]: checked ? '' : null })}
      />
    </Stack>
  );
  return (
    <DialogForm
      error={error}
      saveLabel={t('save_and_try')}
      saving={isPending}
      onSave={() => mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('embedder_settings_hint')}</Text>
      <Group grow align="flex-start">
        <Select
          label={t('pooling')}
          allowDeselect={false}
          data={[
            { value: AUTO, label: t('as_known') },
            ...poolings.map((value) => ({ value, label: t(`poolings.${value}`) })),
          ]}
          value={draft.pooling ?? AUTO}
          onChange={(value) => set({ pooling: poolings.find((one) => one === value) ?? null })}
        />
        <Select
          label={t('normalize')}
          allowDeselect={false}
          data={[
            { value: AUTO, label: t('as_known') },
            { value: 'true', label: t('normalize_yes') },
            { value: 'false', label: t('normalize_no') },
          ]}
          value={draft.normalize === null ? AUTO : String(draft.normalize)}
          onChange={(value) => set({ normalize: value === AUTO || value === null ? null : value === 'true' })}
        />
      </Group>
      <NumberInput
        label={t('max_tokens')}
        placeholder={t('as_known')}
        min={MIN_TOKENS}
        max={MAX_TOKENS}
        allowDecimal={false}
        thousandSeparator=","
        value={draft.max_tokens ?? ''}
        onChange={(value) => set({ max_tokens: typeof value === 'number' ? value : null })}
      />
      {prefix('query_prefix')}
      {prefix('passage_prefix')}
      <Needed id={model.id} />
      {trial === null ? null : (
        <Stack gap={0} aria-live="polite">
          <TrialResult trial={trial} />
        </Stack>
      )}
    </DialogForm>
  );
}

/** How an embedding model of this machine is read, and what comes of it. */
export function EmbedderSettingsDialog({
  model,
  onClose,
}: Pick<FormProps, 'onClose'> & { readonly model: Weights | null }) {
  const { t } = useTranslation('modelsPage');
  const embedding = model?.embedding ?? null;
  return (
    <Modal
      opened={embedding !== null}
      onClose={onClose}
      title={t('embedder_settings_title', { name: model?.name ?? '' })}
    >
      {model === null || embedding === null ? null : (
        <SettingsForm key={model.id} model={model} embedding={embedding} onClose={onClose} />
      )}
    </Modal>
  );
}
