import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface CollectionChoiceProps {
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** The collection that an evaluation question is for. */
export function CollectionChoice({ choices, value, onChange }: CollectionChoiceProps) {
  const { t } = useTranslation('answers');
  return (
    <Select
      label={t('question_collection')}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      allowDeselect={false}
      searchable
      value={value}
      onChange={onChange}
    />
  );
}
