import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from './form-alert.tsx';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** Words of the button that does it. */
  readonly confirmLabel: string;
  /** What must be typed before it is done, for what cannot be undone. */
  readonly typed?: string;
  /** Red by default; false for what harms nothing. */
  readonly danger?: boolean;
  /** The dialog waits for it, closes when it succeeded and tells why it did not. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

function ConfirmForm({ children, confirmLabel, typed, danger = true, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  const [text, setText] = useState('');
  const { mutate, isPending, error } = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <div>{children}</div>
        {typed === undefined ? null : (
          <TextInput
            label={t('confirm_typed', { word: typed })}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
        <FormAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
            {common('cancel')}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={typed !== undefined && text.trim() !== typed}
            {...(danger ? { color: 'red' } : {})}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks before something is done that people may regret. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <ConfirmForm {...props} />
    </Modal>
  );
}
