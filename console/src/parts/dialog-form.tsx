import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from './form-alert.tsx';

interface DialogFormProps {
  readonly children: ReactNode;
  readonly error: unknown;
  readonly saveLabel: ReactNode;
  readonly saving: boolean;
  /** Whether what is written can't be saved yet. */
  readonly disabled?: boolean;
  /** Of the button that saves. */
  readonly color?: string;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** The form of a dialog: what is wrong with it as a whole, its fields, and the buttons that end it. */
export function DialogForm({ children, error, saveLabel, onSave, onClose, ...more }: DialogFormProps) {
  const { saving, disabled = false, color } = more;
  const { t } = useTranslation('common');
  const form = useRef<HTMLFormElement>(null);
  // A form that waited for its data comes after its dialog has put the focus somewhere.
  useEffect(() => {
    if (form.current?.contains(document.activeElement) === false)
      form.current.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Stack gap="md">
        <FormAlert error={error} />
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={saving}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={saving} disabled={disabled} {...(color === undefined ? {} : { color })}>
            {saveLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
