import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import { searchModes } from '@ai-studio/contract/retrieval/collection.ts';
import { guardModes } from '@ai-studio/contract/utilities/guard.ts';
import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { Checkbox, Input, MultiSelect, NumberInput, Select, Slider } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import { CollectionsField } from './collections-field.tsx';
import { JsonField } from './json-field.tsx';
import { NumberField, OptionalNumber } from './number-field.tsx';
import { ReferenceField } from './reference-field.tsx';
import { TemplateField } from './template-field.tsx';
import { useField } from './use-field.ts';
import { useFieldError } from './use-field-error.ts';

const AS_SET = 'as_set';
// What few choose is loaded when the form is opened.
const ExpansionField = lazy(async () => ({ default: (await import('./expansion-field.tsx')).ExpansionField }));

function RerankField({ node }: { readonly node: NodeOf<'retrieve'> }) {
  const { t } = useTranslation('agentBuilder');
  const { options, change } = useBuilder();
  const error = useFieldError(node);
  const { rerank } = node;
  const named = typeof rerank === 'object' ? (rerank.model ?? null) : null;
  const value = rerank === undefined ? AS_SET : rerank === false ? 'off' : named === null ? 'on' : `model:${named}`;
  const models = [...new Set([...(options?.rerank_models ?? []), ...(named === null ? [] : [named])])];
  return (
    <Select
      label={t('fields.rerank')}
      allowDeselect={false}
      data={[
        { value: AS_SET, label: t('as_collection') },
        { value: 'off', label: t('fields.rerank_off') },
        { value: 'on', label: t('fields.rerank_on') },
        ...models.map((model) => ({ value: `model:${model}`, label: model })),
      ]}
      value={value}
      error={error('rerank')}
      onChange={(chosen) => {
        if (chosen === null) return;
        if (chosen === AS_SET) change(node, { rerank: undefined }, 'rerank');
        else if (chosen === 'on' || chosen === 'off') change(node, { rerank: chosen === 'on' }, 'rerank');
        else change(node, { rerank: { model: chosen.slice('model:'.length) } }, 'rerank');
      }}
    />
  );
}

/** Finds passages. */
export function RetrieveForm({ node }: { readonly node: NodeOf<'retrieve'> }) {
  const { t } = useTranslation('agentBuilder');
  const { change } = useBuilder();
  const error = useFieldError(node);
  const field = useField(node);
  const { alpha } = node;
  return (
    <>
      <CollectionsField {...field('collections')} />
      <TemplateField
        node={node}
        label={t('fields.query')}
        description={t('fields.query_hint')}
        maxLength={10_000}
        {...field('query')}
      />
      <NumberField label={t('fields.top_k')} min={1} max={50} {...field('top_k')} />
      <Select
        label={t('fields.search_type')}
        allowDeselect={false}
        data={[
          { value: AS_SET, label: t('as_collection') },
          ...searchModes.map((mode) => ({ value: mode, label: t(`search_types.${mode}`) })),
        ]}
        value={node.search_type ?? AS_SET}
        onChange={(chosen) => change(node, { search_type: searchModes.find((mode) => mode === chosen) }, 'search_type')}
      />
      {node.search_type === 'keyword' || node.search_type === 'vector' ? null : (
        <div>
          <Input.Label component="div">{t('fields.alpha')}</Input.Label>
          <Checkbox
            size="xs"
            label={t('as_collection')}
            checked={alpha === undefined}
            onChange={({ currentTarget: { checked } }) => change(node, { alpha: checked ? undefined : 0.5 }, 'alpha')}
          />
          {alpha === undefined ? null : (
            <Slider
              thumbLabel={t('fields.alpha')}
              min={0}
              max={1}
              step={0.05}
              mt="xs"
              mb="lg"
              mx="sm"
              label={(shown) => shown.toFixed(2)}
              marks={[
                { value: 0, label: t('fields.alpha_keyword') },
                { value: 1, label: t('fields.alpha_vector') },
              ]}
              value={alpha}
              onChange={(next) => change(node, { alpha: next }, 'alpha')}
            />
          )}
        </div>
      )}
      <RerankField node={node} />
      <Suspense>
        <ExpansionField node={node} />
      </Suspense>
      <NumberInput
        label={t('fields.score_threshold')}
        description={t('fields.score_threshold_hint')}
        step={0.05}
        value={node.score_threshold ?? ''}
        onChange={(next) =>
          change(node, { score_threshold: typeof next === 'number' ? next : undefined }, 'score_threshold')
        }
      />
      <JsonField
        label={t('fields.filters')}
        description={t('fields.filters_hint')}
        value={node.filters}
        error={error('filters')}
        example={{ department: 'sales' }}
        onChange={(filters) => change(node, { filters }, 'filters')}
      />
    </>
  );
}

/** Reads documents. */
export function ParseForm({ node }: { readonly node: NodeOf<'parse_document'> }) {
  const { t } = useTranslation('agentBuilder');
  const field = useField(node);
  return (
    <ReferenceField
      node={node}
      label={t('fields.parse_files')}
      description={t('fields.parse_files_hint')}
      wanted={['files']}
      {...field('files')}
    />
  );
}

/** Masks personal values. */
export function MaskForm({ node }: { readonly node: NodeOf<'mask_pii'> }) {
  const { t } = useTranslation('agentBuilder');
  const { change } = useBuilder();
  const error = useFieldError(node);
  const field = useField(node);
  return (
    <>
      <TemplateField node={node} label={t('fields.mask_text')} {...field('text')} />
      <MultiSelect
        label={t('fields.types')}
        description={t('fields.types_hint')}
        placeholder={(node.types ?? []).length === 0 ? t('fields.types_all') : ''}
        searchable
        clearable
        data={[...new Set([...piiTypes, ...(node.types ?? [])])]}
        value={node.types ?? []}
        error={error('types')}
        onChange={(types) => change(node, { types: types.length === 0 ? undefined : types }, 'types')}
      />
    </>
  );
}

/** How long and how much a whole run may be: what is shown where no node is chosen. */
export function LimitsForm() {
  const { t } = useTranslation('agentBuilder');
  const { definition, edit } = useBuilder();
  const { limits } = definition;
  const set = (change: Partial<typeof limits>) =>
    edit(({ definition: now }) => ({ definition: { ...now, limits: { ...now.limits, ...change } } }), 'limits');
  return (
    <>
      <NumberField
        label={t('fields.seconds')}
        description={t('fields.seconds_hint')}
        min={1}
        max={3_600}
        value={limits.seconds}
        onChange={(seconds) => set({ seconds })}
      />
      <OptionalNumber
        label={t('fields.tokens')}
        description={t('fields.tokens_hint')}
        allowDecimal={false}
        thousandSeparator=","
        min={1}
        max={10_000_000}
        step={10_000}
        value={limits.tokens}
        onChange={(tokens) => set({ tokens: tokens ?? 200_000 })}
      />
      <Select
        label={t('fields.guard')}
        description={t('fields.guard_hint')}
        data={[
          { value: 'inherit', label: t('fields.guard_inherit') },
          ...guardModes.map((value) => ({ value, label: t(`fields.guard_${value}`) })),
        ]}
        value={limits.guard ?? 'inherit'}
        allowDeselect={false}
        onChange={(value) => set({ guard: guardModes.find((mode) => mode === value) })}
      />
    </>
  );
}
