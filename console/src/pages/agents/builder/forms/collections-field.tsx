import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';

interface CollectionsFieldProps {
  readonly value: readonly string[];
  readonly error?: string | undefined;
  readonly onChange: (ids: string[]) => void;
}

/** Collections of the tenant. One that is gone stays, by its id, until it is taken out. */
export function CollectionsField({ value, error, onChange }: CollectionsFieldProps) {
  const { t } = useTranslation('agentBuilder');
  const { options } = useBuilder();
  const known = options?.collections ?? [];
  const gone = value.filter((id) => known.every((one) => one.id !== id));
  return (
    <MultiSelect
      label={t('fields.collections')}
      description={options !== null && known.length === 0 ? t('fields.no_collections') : t('fields.collections_hint')}
      searchable
      hidePickedOptions
      maxValues={20}
      data={[
        ...known.map(({ id, name }) => ({ value: id, label: name })),
        ...gone.map((id) => ({ value: id, label: t('gone', { id: id.slice(0, 8) }) })),
      ]}
      value={[...value]}
      error={error}
      onChange={onChange}
    />
  );
}
