import { NumberInput, type NumberInputProps } from '@mantine/core';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'min' | 'max'> {
  readonly value: number | undefined;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

/** A whole number that is always there and within its bounds. */
export function NumberField({ value, onChange, min, max, ...props }: NumberFieldProps) {
  return (
    <NumberInput
      allowDecimal={false}
      clampBehavior="blur"
      {...props}
      min={min}
      max={max}
      value={value ?? ''}
      onChange={(next) => {
        if (typeof next === 'number' && next >= min && next <= max) onChange(next);
      }}
    />
  );
}

interface OptionalNumberProps extends Omit<NumberFieldProps, 'onChange'> {
  readonly onChange: (value: number | undefined) => void;
}

/** A number that may be left out. */
export function OptionalNumber({ value, onChange, min, max, ...props }: OptionalNumberProps) {
  return (
    <NumberInput
      clampBehavior="blur"
      {...props}
      min={min}
      max={max}
      value={value ?? ''}
      onChange={(next) => {
        if (next === '') onChange(undefined);
        else if (typeof next === 'number' && next >= min && next <= max) onChange(next);
      }}
    />
  );
}
