import type { CollectionOptions } from '@ai-studio/contract/console/retrieval.ts';
import { type SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import { searchModes } from '@ai-studio/contract/retrieval/search-settings.ts';
import { Checkbox, Group, Input, SegmentedControl, Select, Slider, Stack, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface AlphaProps {
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** How much vectors count beside keywords; null leaves it to the model. */
export function AlphaField({ value, onChange }: AlphaProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Stack gap={4}>
      <Input.Label component="div">{t('alpha')}</Input.Label>
      <Checkbox
        label={t('alpha_auto')}
        checked={value === null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : 0.5)}
      />
      {value === null ? null : (
        <Slider
          thumbLabel={t('alpha')}
          min={0}
          max={1}
          step={0.05}
          value={value}
          onChange={onChange}
          label={(shown) => shown.toFixed(2)}
          mt="xs"
          mb="lg"
          mx="sm"
          marks={[
            { value: 0, label: t('alpha_marks.keyword') },
            { value: 0.5, label: '0.5' },
            { value: 1, label: t('alpha_marks.vector') },
          ]}
        />
      )}
    </Stack>
  );
}

interface SearchFieldsProps {
  readonly config: SearchConfig;
  readonly options: CollectionOptions;
  readonly onChange: (change: Partial<SearchConfig>) => void;
}

/** How searches are done. */
export function SearchFields({ config, options, onChange }: SearchFieldsProps) {
  const { t } = useTranslation('collectionsPage');
  const { mode, alpha, fusion, rerank } = config;
  const rerankers = options.rerank_models;
  const model = typeof rerank === 'object' ? (rerank.model ?? null) : null;
  return (
    <Stack gap="md">
      <Input.Wrapper label={t('mode')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('mode')}
          value={mode}
          onChange={(value) => onChange({ mode: searchModes.find((known) => known === value) ?? 'hybrid' })}
          data={(['hybrid', 'keyword', 'vector'] as const).map((value) => ({ value, label: t(`modes.${value}`) }))}
        />
      </Input.Wrapper>
      {mode === 'hybrid' ? (
        <>
          <Input.Wrapper label={t('fusion')} labelElement="div">
            <SegmentedControl
              fullWidth
              aria-label={t('fusion')}
              value={fusion}
              onChange={(value) => onChange({ fusion: value === 'rrf' ? 'rrf' : 'weighted' })}
              data={(['weighted', 'rrf'] as const).map((value) => ({ value, label: t(`fusions.${value}`) }))}
            />
          </Input.Wrapper>
          {fusion === 'weighted' ? <AlphaField value={alpha} onChange={(value) => onChange({ alpha: value })} /> : null}
        </>
      ) : null}
      <Group align="flex-end" gap="md">
        <Switch
          label={t('rerank')}
          description={rerankers.length === 0 ? t('rerank_none') : t('rerank_hint')}
          disabled={rerankers.length === 0 && rerank === false}
          checked={rerank !== false}
          onChange={({ currentTarget }) => onChange({ rerank: currentTarget.checked })}
        />
        {rerank !== false && rerankers.length > 1 ? (
          <Select
            aria-label={t('rerank')}
            data={rerankers}
            value={model ?? rerankers[0] ?? null}
            allowDeselect={false}
            onChange={(value) => onChange({ rerank: value === null ? true : { model: value } })}
          />
        ) : null}
      </Group>
    </Stack>
  );
}
