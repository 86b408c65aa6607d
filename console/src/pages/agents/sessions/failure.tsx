import type { RunFailure } from '@ai-studio/contract/agents/run.ts';
import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Failures that there is something of their own to be done about. */
const known = [
  'timeout',
  'unavailable',
  'rate_limited',
  'invalid_request',
  'not_found',
  'unprocessable',
  'too_large',
  'forbidden',
] as const;

interface FailureViewProps {
  readonly failure: RunFailure;
  /** What the node is called that failed, where that is not said around it. */
  readonly name?: string | undefined;
  /** What leads to the node. */
  readonly beside?: ReactNode;
}

/** Why a run or a node failed: what it means and what can be done, then what the service says of it. */
export function FailureView({ failure: { code, message }, name, beside = null }: FailureViewProps) {
  const { t } = useTranslation('agents');
  const why = known.find((one) => one === code) ?? 'internal';
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      p="sm"
      title={name === undefined ? t('failures.title') : t('failures.of', { name })}
    >
      <Stack gap={6} align="flex-start">
        <Text size="sm">{t(`failures.${why}`)}</Text>
        {message === '' ? null : (
          <Text size="xs" c="dimmed" lang="en">
            {message}
          </Text>
        )}
        {beside}
      </Stack>
    </Alert>
  );
}
