import { QueryExpansion } from '@ai-studio/contract/retrieval/collection.ts';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

type Kind = QueryExpansion['kind'];
const kinds = QueryExpansion.shape.kind.options;
const OFF = 'off';
const choices = [OFF, ...kinds] as const;

interface ExpansionFieldProps {
  readonly value: Kind | null;
  readonly onChange: (kind: Kind | null) => void;
}

/** Whether a chat model says more of what the query asks for. */
export function ExpansionField({ value, onChange }: ExpansionFieldProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Select
      label={t('search.expansion')}
      description={t('search.expansion_hint')}
      allowDeselect={false}
      data={choices.map((kind) => ({ value: kind, label: t(`search.expansions.${kind}`) }))}
      value={value ?? OFF}
      onChange={(chosen) => onChange(kinds.find((kind) => kind === chosen) ?? null)}
    />
  );
}
