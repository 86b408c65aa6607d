import { TenantSettings, TenantSettingsChange } from '@ai-studio/contract/console/settings.ts';
import { ColorSwatch, Fieldset, Group, MultiSelect, Radio, Select, Stack, Switch, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { api } from '../../api/client.ts';
import { collectionOptionsQuery } from '../../api/collection-options.ts';
import { meQuery } from '../../api/session.ts';
import { accents, defaultAccent } from '../../app/colors.ts';
import { SynonymsField } from '../../parts/synonyms-field.tsx';
import { DraftForm } from '../../parts/draft-form.tsx';
import { LimitInputs } from '../../parts/limit-inputs.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { AiFields } from './ai-fields.tsx';
import type { FieldsProps } from './fields-props.ts';
import { NumberInput } from '../../parts/number-input.tsx';

const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => api.get('/settings', TenantSettings, { signal }),
});

const limit = (value: number | string) => (typeof value === 'number' ? value : null);

function Models({ settings, onChange, onWrong }: FieldsProps & { readonly onWrong: (wrong: boolean) => void }) {
  const { t } = useTranslation('settings');
  const { data } = useQuery(chatModelsQuery);
  const { data: options } = useQuery(collectionOptionsQuery);
  const known = options?.embedding_models ?? [];
  const kept = settings.default_embedding_model;
  // One that was taken away stays named.
  const embedders =
    kept === null || known.some(({ id }) => id === kept) ? known : [...known, { id: kept, lexical: false }];
  const ids = [...new Set([...(data?.items.map(({ id }) => id) ?? []), ...(settings.allowed_models ?? [])])];
  return (
    <Fieldset legend={t('models')}>
      <Stack gap="md">
        <MultiSelect
          label={t('allowed_models')}
          description={t('allowed_models_hint')}
          placeholder={settings.allowed_models === null ? t('all_models') : ''}
          data={ids}
          searchable
          clearable
          value={settings.allowed_models ?? []}
          onChange={(models) => onChange({ allowed_models: models.length === 0 ? null : models })}
        />
        <Select
          label={t('default_model')}
          description={t('default_model_hint')}
          placeholder={data?.default_model ?? ''}
          data={ids}
          searchable
          clearable
          value={settings.default_model}
          onChange={(model) => onChange({ default_model: model })}
        />
        <Select
          label={t('default_embedding_model')}
          description={t('default_embedding_model_hint')}
          placeholder={t('no_default_embedding_model')}
          data={embedders.map(({ id, lexical }) => ({ value: id, label: lexical ? t('lexical') : id }))}
          searchable
          clearable
          value={settings.default_embedding_model}
          onChange={(model) => onChange({ default_embedding_model: model })}
        />
        <SynonymsField
          label={t('synonyms')}
          description={t('synonyms_hint')}
          placeholder={t('synonyms_example')}
          error={t('synonyms_wrong')}
          value={settings.synonyms}
          onChange={(sets) => {
            onWrong(sets === null);
            if (sets !== null) onChange({ synonyms: sets });
          }}
        />
      </Stack>
    </Fieldset>
  );
}

function Limits({ settings, onChange }: FieldsProps) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('common');
  return (
    <Fieldset legend={t('limits')}>
      <Stack gap="md">
        <LimitInputs
          values={settings}
          onChange={(field, value) => onChange({ [field]: value })}
          labelOf={(field) => t(field)}
          description={t('key_limit_hint')}
          placeholderOf={() => t('installation_default')}
        />
        <Select
          label={t('tool_stream')}
          description={t('tool_stream_hint')}
          allowDeselect={false}
          data={[
            { value: '', label: t('tool_streams.model') },
            { value: 'openai', label: t('tool_streams.openai') },
            { value: 'arguments', label: t('tool_streams.arguments') },
          ]}
          value={settings.tool_stream ?? ''}
          onChange={(value) => onChange({ tool_stream: value === 'openai' || value === 'arguments' ? value : null })}
        />
        <NumberInput
          label={t('max_keys')}
          min={1}
          max={10_000}
          allowDecimal={false}
          value={settings.max_keys}
          onChange={(value) => onChange({ max_keys: limit(value) ?? settings.max_keys })}
        />
        <NumberInput
          label={t('conversation_days')}
          description={t('conversation_days_hint')}
          placeholder={common('unlimited')}
          min={1}
          max={3650}
          allowDecimal={false}
          value={settings.conversation_days ?? ''}
          onChange={(value) => onChange({ conversation_days: limit(value) })}
        />
        <Switch
          label={t('agent_traces')}
          description={t('agent_traces_hint')}
          checked={settings.agent_traces === 'full'}
          onChange={({ currentTarget }) => onChange({ agent_traces: currentTarget.checked ? 'full' : 'no_content' })}
        />
      </Stack>
    </Fieldset>
  );
}

function Security({ settings, onChange }: FieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <Fieldset legend={t('security')}>
      <Stack gap="md">
        <Switch
          label={t('require_second_factor')}
          description={t('require_second_factor_hint')}
          checked={settings.require_second_factor}
          onChange={({ currentTarget }) => onChange({ require_second_factor: currentTarget.checked })}
        />
        <NumberInput
          label={t('session_idle_hours')}
          description={t('session_idle_hours_hint')}
          min={1}
          max={720}
          allowDecimal={false}
          value={settings.session_idle_hours}
          onChange={(value) => onChange({ session_idle_hours: limit(value) ?? settings.session_idle_hours })}
        />
      </Stack>
    </Fieldset>
  );
}

const choices = [null, 'indigo', 'blue', 'teal', 'green', 'orange', 'red', 'grape'] as const;

function Appearance({ settings, onChange }: FieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <Fieldset legend={t('appearance')}>
      <Radio.Group
        label={t('accent')}
        value={settings.accent ?? ''}
        onChange={(value) => onChange({ accent: choices.find((choice) => choice === value) ?? null })}
      >
        <Group gap="md" mt="xs">
          {choices.map((choice) => (
            <Radio
              key={choice ?? ''}
              value={choice ?? ''}
              label={
                <Group gap={6} wrap="nowrap">
                  <ColorSwatch size={16} color={accents[choice ?? defaultAccent][6]} aria-hidden />
                  {t(`accents.${choice ?? 'own'}`)}
                </Group>
              }
            />
          ))}
        </Group>
      </Radio.Group>
    </Fieldset>
  );
}

/** What differs from what is stored. */
const changesOf = (before: TenantSettings, after: TenantSettings) =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof TenantSettings]),
    ),
  );

function SettingsForm({ stored }: { readonly stored: TenantSettings }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done } = useNotify();
  const [draft, setDraft] = useState(stored);
  const [wrong, setWrong] = useState(false);
  const changes = changesOf(stored, draft);
  const changed = Object.keys(changes).length > 0;
  const onChange = (change: Partial<TenantSettings>) => setDraft((before) => ({ ...before, ...change }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.patch('/settings', TenantSettingsChange.parse(changes), TenantSettings),
    async onSuccess(kept) {
      queries.setQueryData(settingsQuery.queryKey, kept);
      setDraft(kept);
      done(common('saved'));
      await Promise.all([
        queries.invalidateQueries({ queryKey: meQuery.queryKey }),
        queries.invalidateQueries({ queryKey: chatModelsQuery.queryKey }),
      ]);
    },
  });
  return (
    <DraftForm
      changed={changed}
      valid={draft.name.trim() !== '' && !wrong}
      saving={isPending}
      error={error}
      onSave={mutate}
      onUndo={() => setDraft(stored)}
    >
      <Fieldset legend={t('tenant')}>
        <TextInput
          label={t('name')}
          maxLength={100}
          required
          value={draft.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
      </Fieldset>
      <Models settings={draft} onChange={onChange} onWrong={setWrong} />
      <Limits settings={draft} onChange={onChange} />
      <Security settings={draft} onChange={onChange} />
      <AiFields settings={draft} onChange={onChange} />
      <Appearance settings={draft} onChange={onChange} />
    </DraftForm>
  );
}

/** What the tenant has set for all its people and keys. */
export function Page() {
  const { t } = useTranslation('settings');
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Loaded query={useQuery(settingsQuery)}>{(stored) => <SettingsForm stored={stored} />}</Loaded>
    </>
  );
}
