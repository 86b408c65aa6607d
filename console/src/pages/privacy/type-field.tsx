import { type PiiType, piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface TypeFieldProps {
  readonly label: string;
  readonly description?: string;
  /** Shown where none is chosen. */
  readonly placeholder: string;
  readonly value: readonly PiiType[];
  readonly onChange: (types: PiiType[]) => void;
}

const isType = (type: string): type is PiiType => (piiTypes as readonly string[]).includes(type);

/** Types of personal values, several at a time. */
export function TypeField({ value, onChange, placeholder, ...rest }: TypeFieldProps) {
  const { t } = useTranslation('privacy');
  return (
    <MultiSelect
      {...rest}
      placeholder={value.length === 0 ? placeholder : ''}
      data={piiTypes.map((type) => ({ value: type, label: t(`types.${type}`) }))}
      searchable
      clearable
      value={[...value]}
      onChange={(types) => onChange(types.filter(isType))}
    />
  );
}
