import { FormRootAlert } from './form-root-alert.tsx';
import { useErrorMessage } from './use-error-message.ts';

/** What went wrong with a form as a whole; nothing where nothing did. */
export function FormAlert({ error }: { readonly error: unknown }) {
  const errorMessage = useErrorMessage();
  return <FormRootAlert error={error === null || error === undefined ? undefined : { message: errorMessage(error) }} />;
}
