import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './composer.module.css';

export interface ModelChipProps {
  readonly models: readonly ChatModelOption[];
  readonly value: string;
  readonly onChange: (model: string) => void;
}

/** The models of the chat, to choose who answers. */
export function ModelSelect({ models, value, onChange }: ModelChipProps) {
  const { t } = useTranslation('chat');
  const known = models.some(({ id }) => id === value);
  return (
    <Select
      size="xs"
      searchable
      allowDeselect={false}
      aria-label={t('model')}
      className={classes['model'] ?? ''}
      comboboxProps={{ width: 260, position: 'top-end' }}
      maxDropdownHeight={320}
      nothingFoundMessage={t('none_found')}
      data={[...(known ? [] : [value]), ...models.map(({ id }) => id)]}
      value={value}
      onChange={(model) => onChange(model ?? value)}
    />
  );
}
