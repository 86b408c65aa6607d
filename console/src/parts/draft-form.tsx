import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from './form-alert.tsx';

interface DraftFormProps {
  /** Fields of what is written, which is kept once it is saved. */
  readonly children: ReactNode;
  readonly changed: boolean;
  /** Whether what is written may be saved. */
  readonly valid?: boolean;
  readonly saving: boolean;
  readonly error: Error | null;
  readonly onSave: () => void;
  /** Takes back all that was not saved. */
  readonly onUndo: () => void;
}

/** Settings that are changed at leisure and saved together. */
export function DraftForm({ children, changed, valid = true, saving, error, onSave, onUndo }: DraftFormProps) {
  const { t } = useTranslation('common');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Stack gap="lg" maw="46rem">
        <FormAlert error={error} />
        {children}
        {changed ? (
          <Alert variant="light" role="status">
            {t('unsaved')}
          </Alert>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" disabled={!changed} onClick={onUndo}>
            {t('take_back')}
          </Button>
          <Button type="submit" loading={saving} disabled={!changed || !valid}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
