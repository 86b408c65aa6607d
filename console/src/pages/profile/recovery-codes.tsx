import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/session.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { saveText } from '../../parts/save-text.ts';
import classes from './entries.module.css';

function Codes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { t } = useTranslation('profilePage');
  const { email } = useMe().user;
  const save = () =>
    saveText(
      'ai-studio-recovery-codes.txt',
      [t('recovery.file_title', { email }), t('recovery.file_hint'), '', ...codes, ''].join('\n'),
      'text/plain',
    );
  return (
    <Stack gap="md">
      <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
        {t('recovery.once')}
      </Alert>
      <ul className={classes['codes']} aria-label={t('recovery.list')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between">
        <Group gap="sm">
          <CopyButton value={codes.join('\n')} label={t('recovery.copy')} withText />
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
            {t('recovery.download')}
          </Button>
        </Group>
        <Button onClick={onClose}>{t('recovery.kept')}</Button>
      </Group>
    </Stack>
  );
}

interface RecoveryCodesDialogProps {
  /** Null: closed. */
  readonly codes: readonly string[] | null;
  readonly onClose: () => void;
}

/** Recovery codes, shown this once. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { t } = useTranslation('profilePage');
  return (
    <Modal
      opened={codes !== null}
      onClose={onClose}
      title={t('recovery.title')}
      size="lg"
      centered
      // A slip must not lose what is never shown again.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {codes === null ? null : <Codes codes={codes} onClose={onClose} />}
    </Modal>
  );
}
