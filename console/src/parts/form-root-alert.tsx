import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';

interface FormRootAlertProps {
  /** The error of the whole form, as react-hook-form keeps it (`errors.root`). */
  readonly error: { readonly message?: string | undefined } | undefined;
}

/** What went wrong with a form that marks its fields itself, where it is none of theirs; nothing where nothing did. */
export function FormRootAlert({ error }: FormRootAlertProps) {
  if (error === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertCircle size={18} aria-hidden />}>
      {error.message}
    </Alert>
  );
}
