import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

interface DecimalInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** Null where there is none. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

function numberOf(written: number | string): number | null {
  if (typeof written === 'number') return written;
  const value = written.trim() === '' ? Number.NaN : Number(written);
  return Number.isFinite(value) ? value : null;
}

/** A number that may have decimals: what is half written, such as "0.", stays as it is written. */
export function DecimalInput({ value, onChange, ...props }: DecimalInputProps) {
  const [written, setWritten] = useState<number | string>(value ?? '');
  return (
    <NumberInput
      {...props}
      value={numberOf(written) === value ? written : (value ?? '')}
      onChange={(next) => {
        setWritten(next);
        onChange(numberOf(next));
      }}
    />
  );
}
