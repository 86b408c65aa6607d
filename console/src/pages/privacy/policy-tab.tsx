import { GuardPolicy, guardModes } from '@ai-studio/contract/utilities/guard.ts';
import { Fieldset, NumberInput, Radio, Select, Stack, Switch, TagsInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { api } from '../../api/client.ts';
import { DraftForm } from '../../parts/draft-form.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { policyQuery } from './queries.ts';
import { TypeField } from './type-field.tsx';

interface FieldsProps {
  readonly policy: GuardPolicy;
  readonly onChange: (change: Partial<GuardPolicy>) => void;
}

const MAX_WORDS = 500;

function Mode({ policy, onChange }: FieldsProps) {
  const { t } = useTranslation('privacy');
  return (
    <Fieldset legend={t('policy.mode')}>
      <Stack gap="md">
        <Radio.Group
          aria-label={t('policy.mode')}
          description={t('policy.mode_hint')}
          value={policy.mode}
          onChange={(value) => onChange({ mode: guardModes.find((mode) => mode === value) ?? 'off' })}
        >
          <Stack gap="sm" mt="sm">
            {guardModes.map((mode) => (
              <Radio
                key={mode}
                value={mode}
                label={t(`policy.modes.${mode}`)}
                description={t(`policy.mode_hints.${mode}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Switch
          label={t('policy.may_loosen')}
          description={t('policy.may_loosen_hint')}
          checked={policy.may_loosen}
          onChange={({ currentTarget }) => onChange({ may_loosen: currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  );
}

function Looked({ policy, onChange }: FieldsProps) {
  const { t } = useTranslation('privacy');
  const { data } = useQuery(chatModelsQuery);
  const model = policy.recognizer_model;
  const models = [...new Set([...(data?.items.map(({ id }) => id) ?? []), ...(model === null ? [] : [model])])];
  return (
    <Fieldset legend={t('policy.types')}>
      <Stack gap="md">
        <TypeField
          label={t('policy.types')}
          description={t('policy.types_hint')}
          placeholder={t('policy.default_types')}
          value={policy.types ?? []}
          onChange={(types) => onChange({ types: types.length === 0 ? null : types })}
        />
        <NumberInput
          label={t('policy.threshold')}
          description={t('policy.threshold_hint')}
          min={0}
          max={1}
          step={0.05}
          decimalScale={2}
          value={policy.threshold}
          onChange={(value) => onChange({ threshold: typeof value === 'number' ? value : policy.threshold })}
        />
        <Select
          label={t('policy.recognizer_model')}
          description={t('policy.recognizer_model_hint')}
          placeholder={t('policy.no_model')}
          data={models}
          searchable
          clearable
          value={model}
          onChange={(value) => onChange({ recognizer_model: value })}
        />
      </Stack>
    </Fieldset>
  );
}

function Lists({ policy, onChange }: FieldsProps) {
  const { t } = useTranslation('privacy');
  return (
    <Fieldset legend={t('policy.lists')}>
      <Stack gap="md">
        {(['deny_list', 'allow_list'] as const).map((list) => (
          <TagsInput
            key={list}
            label={t(`policy.${list}`)}
            description={t(`policy.${list}_hint`)}
            maxTags={MAX_WORDS}
            splitChars={['\n']}
            acceptValueOnBlur
            value={[...policy[list]]}
            onChange={(words) =>
              onChange({ [list]: words.map((word) => word.trim().slice(0, 200)).filter((word) => word !== '') })
            }
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

function PolicyForm({ stored }: { readonly stored: GuardPolicy }) {
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done } = useNotify();
  const [draft, setDraft] = useState(stored);
  const changed = JSON.stringify(draft) !== JSON.stringify(stored);
  const onChange = (change: Partial<GuardPolicy>) => setDraft((before) => ({ ...before, ...change }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.put('/privacy/policy', GuardPolicy.parse(draft), GuardPolicy),
    onSuccess(kept) {
      queries.setQueryData(policyQuery.queryKey, kept);
      setDraft(kept);
      done(common('saved'));
    },
  });
  return (
    <DraftForm changed={changed} saving={isPending} error={error} onSave={mutate} onUndo={() => setDraft(stored)}>
      <Mode policy={draft} onChange={onChange} />
      <Looked policy={draft} onChange={onChange} />
      <Lists policy={draft} onChange={onChange} />
    </DraftForm>
  );
}

/** What becomes of personal values in chats of the tenant. */
export function PolicyTab() {
  return <Loaded query={useQuery(policyQuery)}>{(stored) => <PolicyForm stored={stored} />}</Loaded>;
}
