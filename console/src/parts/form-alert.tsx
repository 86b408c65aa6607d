import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useErrorWords } from './use-error-words.ts';

/** What went wrong with a form as a whole; nothing where nothing did. */
export function FormAlert({ error }: { readonly error: unknown }) {
  const words = useErrorWords();
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertCircle size={18} aria-hidden />}>
      {words(error)}
    </Alert>
  );
}
