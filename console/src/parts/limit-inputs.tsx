import { type LimitField, limitFields } from '@ai-studio/contract/limits.ts';
import { Group } from '@mantine/core';
import { NumberInput } from './number-input.tsx';

interface LimitInputsProps {
  /** Null where there is no limit of its own. */
  readonly values: Readonly<Partial<Record<LimitField, number | null>>>;
  readonly onChange: (field: LimitField, value: number | null) => void;
  readonly labelOf: (field: LimitField) => string;
  /** Written where there is none: what applies then. */
  readonly placeholderOf: (field: LimitField) => string;
  readonly description?: string;
}

/** Limits of requests and tokens, one field each. */
export function LimitInputs({ values, onChange, labelOf, placeholderOf, description }: LimitInputsProps) {
  return (
    <Group grow align="flex-start">
      {limitFields.map((field) => (
        <NumberInput
          key={field}
          label={labelOf(field)}
          {...(description === undefined ? {} : { description })}
          placeholder={placeholderOf(field)}
          min={1}
          max={2_147_483_647}
          allowDecimal={false}
          thousandSeparator=","
          value={values[field] ?? ''}
          onChange={(value) => onChange(field, typeof value === 'number' ? value : null)}
        />
      ))}
    </Group>
  );
}
