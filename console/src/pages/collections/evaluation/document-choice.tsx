import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { documentsQuery } from '../queries.ts';

interface DocumentChoiceProps {
  readonly id: string;
  /** Ids; none: all. */
  readonly value: readonly string[];
  readonly disabled: boolean;
  readonly onChange: (ids: readonly string[]) => void;
}

/** Chooses documents that can be found, by their names. */
export function DocumentChoice({ id, value, disabled, onChange }: DocumentChoiceProps) {
  const { t } = useTranslation('collectionsPage');
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 250);
  const { data } = useQuery(documentsQuery(id, { group: 'ready', name, page: 1 }));
  /** Names of those that were chosen, which the present page may not have. */
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const found = new Map(data?.items.map((one) => [one.document_id, one.document_name]) ?? []);
  const all = new Map([...names, ...found]);
  return (
    <MultiSelect
      label={t('evaluation.propose_documents')}
      placeholder={value.length === 0 ? t('evaluation.propose_all') : undefined}
      searchable
      clearable
      disabled={disabled}
      maxValues={50}
      data={[...all].map(([one, label]) => ({ value: one, label }))}
      // The service has chosen by the name already.
      filter={({ options }) => options.filter((one) => 'value' in one && found.has(one.value))}
      value={[...value]}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(ids) => {
        setNames(new Map(ids.map((one) => [one, all.get(one) ?? one])));
        onChange(ids);
      }}
    />
  );
}
