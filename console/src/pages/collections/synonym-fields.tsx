import type { SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SynonymsField } from '../../parts/synonyms-field.tsx';

type Part = Pick<SearchConfig, 'synonyms' | 'starter_synonyms'>;

interface SynonymFieldsProps {
  readonly config: Part;
  /** Null while the sets that stand there can't be read. */
  readonly onChange: (change: Part | null) => void;
}

/** Words that mean the same, and whether those of the service count as well. */
export function SynonymFields({ config, onChange }: SynonymFieldsProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <>
      <SynonymsField
        label={t('synonyms')}
        description={t('synonyms_hint')}
        placeholder={t('synonyms_example')}
        error={t('synonyms_wrong')}
        value={config.synonyms ?? []}
        onChange={(sets) => onChange(sets === null ? null : { synonyms: sets })}
      />
      <Switch
        label={t('starter_synonyms')}
        description={t('starter_synonyms_hint')}
        checked={config.starter_synonyms !== false}
        onChange={({ currentTarget }) => onChange({ starter_synonyms: currentTarget.checked })}
      />
    </>
  );
}
