import { type NumberInputProps, TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';

/** Fetched beside the page: what sees to numbers while they are written is large. */
const Loaded = lazy(async () => ({ default: (await import('./loaded-number-input.tsx')).LoadedNumberInput }));

/** A field for a number. Until it can be written in, it stands there with its value, as high as it will be. */
export function NumberInput(props: NumberInputProps) {
  const { label, description, value, placeholder, error, suffix } = props;
  return (
    <Suspense
      fallback={
        <TextInput
          readOnly
          label={label}
          description={description}
          error={error}
          {...(placeholder === undefined ? {} : { placeholder })}
          value={value === undefined || value === '' ? '' : `${value}${suffix ?? ''}`}
        />
      }
    >
      <Loaded {...props} />
    </Suspense>
  );
}
