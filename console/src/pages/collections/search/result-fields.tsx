import { Group, NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DecimalInput } from '../../../parts/decimal-input.tsx';

interface ResultFieldsProps {
  readonly topK: number;
  readonly threshold: number | null;
  readonly onChange: (change: { readonly topK?: number; readonly threshold?: number | null }) => void;
}

/** How many passages a search gives, and which it leaves out. */
export function ResultFields({ topK, threshold, onChange }: ResultFieldsProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Group grow align="flex-start">
      <NumberInput
        label={t('search.top_k')}
        min={1}
        max={100}
        allowDecimal={false}
        clampBehavior="strict"
        value={topK}
        onChange={(value) => onChange({ topK: typeof value === 'number' && value >= 1 ? value : topK })}
      />
      <DecimalInput
        label={t('search.threshold')}
        placeholder={t('search.threshold_none')}
        step={0.05}
        value={threshold}
        onChange={(value) => onChange({ threshold: value })}
      />
    </Group>
  );
}
