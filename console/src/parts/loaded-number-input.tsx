export { NumberInput as LoadedNumberInput } from '@mantine/core';
