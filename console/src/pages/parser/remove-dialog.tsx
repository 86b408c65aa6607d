import type { ParserDocument } from '@ai-studio/contract/console/parser.ts';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';

interface RemoveProps {
  /** Null closes the dialog. */
  readonly document: ParserDocument | null;
  readonly onRemove: (document: ParserDocument) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before a document is removed. */
export function RemoveDialog({ document, onRemove, onClose }: RemoveProps) {
  const { t } = useTranslation('parser');
  const { t: common } = useTranslation('common');
  return (
    <ConfirmDialog
      opened={document !== null}
      title={t('remove_title')}
      confirmLabel={common('remove')}
      onConfirm={() => (document === null ? Promise.resolve() : onRemove(document))}
      onClose={onClose}
    >
      <Text size="sm">{t('remove_text', { name: document?.name ?? t('unnamed') })}</Text>
    </ConfirmDialog>
  );
}
