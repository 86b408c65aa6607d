import { NumberInput, type NumberInputProps } from '@mantine/core';

/** The field itself, by itself, so that it can be fetched alone. */
export const LoadedNumberInput = (props: NumberInputProps) => <NumberInput {...props} />;
