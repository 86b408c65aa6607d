import { Button, Code, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/error.ts';
import { useErrorMessage } from './use-error-message.ts';

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Shown in place of what could not be loaded. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  const errorMessage = useErrorMessage();
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Stack role="alert" align="center" gap="sm" py={64} px="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" color="red" aria-hidden>
        <IconAlertTriangle size={28} stroke={1.5} />
      </ThemeIcon>
      <Title order={2} size="h4">
        {t('error_title')}
      </Title>
      <Text c="dimmed" maw="32rem">
        {errorMessage(error)}
      </Text>
      {requestId === null ? null : (
        <Text size="sm" c="dimmed">
          {t('request_id')} <Code>{requestId}</Code>
        </Text>
      )}
      {onRetry === undefined ? null : (
        <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={onRetry}>
          {common('retry')}
        </Button>
      )}
    </Stack>
  );
}
