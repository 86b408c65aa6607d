import type { OneTimeLink } from '@ai-studio/contract/console/people.ts';
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import { SecretText } from './secret-text.tsx';
import { useFormat } from './use-format.ts';

interface OneTimeLinkDialogProps {
  /** Null: closed. */
  readonly link: OneTimeLink | null;
  readonly title: string;
  /** Whom to give it to. */
  readonly hint: string;
  readonly onClose: () => void;
}

/** A link that works once and is shown once: the service sends no mail, people hand it over themselves. */
export function OneTimeLinkDialog({ link, title, hint, onClose }: OneTimeLinkDialogProps) {
  const { t } = useTranslation('parts');
  const { dateTime } = useFormat();
  return (
    <Modal
      opened={link !== null}
      onClose={onClose}
      title={title}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {link === null ? null : (
        <Stack gap="md">
          <Alert variant="light" icon={<IconLink size={18} aria-hidden />}>
            {hint}
          </Alert>
          <SecretText value={link.url} data-testid="one-time-link" />
          <Group justify="space-between">
            <CopyButton value={link.url} label={t('copy_link', { until: dateTime(link.expires_at) })} withText />
            <Button onClick={onClose}>{t('handed_over')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
