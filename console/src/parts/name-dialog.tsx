import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from './form-alert.tsx';

interface NameDialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly label: string;
  /** What the field holds at first. */
  readonly name: string;
  readonly hint?: string;
  /** Longest name, 100 characters unless it is said. */
  readonly maxLength?: number;
  readonly saveLabel?: string;
  /** The dialog waits for it, closes when it succeeded and tells why it did not. */
  readonly onSave: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
  /** Words for failures that the service knows nothing of; null for its own. */
  readonly failureMessageOf?: (error: unknown) => string | null;
}

function NameForm(props: NameDialogProps) {
  const { label, name, hint, maxLength = 100, saveLabel, onSave, onClose, failureMessageOf } = props;
  const { t } = useTranslation('common');
  const [text, setText] = useState(name);
  const { mutate, isPending, error } = useMutation({ mutationFn: () => onSave(text.trim()), onSuccess: onClose });
  const failureMessage = error === null ? null : (failureMessageOf?.(error) ?? null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="md">
        {failureMessage === null ? (
          <FormAlert error={error} />
        ) : (
          <Alert color="orange" variant="light" role="alert" icon={<IconAlertCircle size={18} aria-hidden />}>
            {failureMessage}
          </Alert>
        )}
        <TextInput
          label={label}
          description={hint}
          maxLength={maxLength}
          required
          withAsterisk={false}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={text.trim() === ''}>
            {saveLabel ?? t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks for a name of something. */
export function NameDialog(props: NameDialogProps) {
  const { opened, title, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <NameForm {...props} />
    </Modal>
  );
}
