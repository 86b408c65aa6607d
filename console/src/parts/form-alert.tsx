import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useErrorMessage } from './use-error-message.ts';

/** What went wrong with a form as a whole; nothing where nothing did. */
export function FormAlert({ error }: { readonly error: unknown }) {
  const errorMessage = useErrorMessage();
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertCircle size={18} aria-hidden />}>
      {errorMessage(error)}
    </Alert>
  );
}
