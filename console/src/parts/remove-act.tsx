import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ActButton } from './act-button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface RemoveActProps {
  readonly label: string;
  /** What goes with it. */
  readonly text: string;
  readonly onRemove: () => Promise<unknown>;
}

/** A button among acts that removes what they are about, after a question. */
export function RemoveAct({ label, text, onRemove }: RemoveActProps) {
  const { t } = useTranslation('common');
  const [asked, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActButton quiet icon={IconTrash} label={label} onClick={open} />
      <ConfirmDialog opened={asked} title={label} confirmLabel={t('remove')} onConfirm={onRemove} onClose={close}>
        <Text size="sm">{text}</Text>
      </ConfirmDialog>
    </>
  );
}
