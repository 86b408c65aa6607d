import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { ApiError } from '../api/error.ts';
import { useErrorMessage } from './use-error-message.ts';

/**
 * Puts the failure of a call where it belongs: at the field that it names, else at the whole form, as
 * `formState.errors.root`.
 */
export function useFormFailure<T extends FieldValues, C, O>(form: UseFormReturn<T, C, O>): (error: unknown) => void {
  const errorMessage = useErrorMessage();
  return (error) => {
    const message = errorMessage(error);
    const param = error instanceof ApiError ? error.param : null;
    if (param !== null && param in form.getValues())
      form.setError(param as FieldPath<T>, { message }, { shouldFocus: true });
    else form.setError('root', { message });
  };
}
