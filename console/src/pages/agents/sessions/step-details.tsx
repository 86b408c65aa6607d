import type { RunStep } from '@ai-studio/contract/agents/run.ts';
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ObjectValue } from '../values/value.tsx';
import { FailureView } from './failure.tsx';

/** Colours of the states of a step. */
export const stepColors = {
  running: 'blue',
  waiting: 'orange',
  done: 'green',
  failed: 'red',
  skipped: 'gray',
  canceled: 'gray',
} as const;

/** How long a step took, in milliseconds; null while it runs. */
export const msOf = ({ started_at: from, ended_at: to }: RunStep): number | null =>
  to === null ? null : Date.parse(to) - Date.parse(from);

function Part({ title, value }: { readonly title: string; readonly value: unknown }) {
  const { t } = useTranslation('agents');
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {value === null ? (
        <Text size="sm" c="dimmed">
          {t('trace.none')}
        </Text>
      ) : (
        <ObjectValue label={title} value={value} />
      )}
    </div>
  );
}

/** What went into a step and what came out of it, and why it failed. */
export function StepDetails({ step }: { readonly step: RunStep }) {
  const { t } = useTranslation('agents');
  const kept = step.inputs !== null || step.outputs !== null;
  return (
    <Stack gap="sm">
      {step.failure === null ? null : <FailureView failure={step.failure} />}
      {step.attempts > 1 ? <Text size="sm">{t('trace.attempts', { count: step.attempts })}</Text> : null}
      {kept ? (
        <>
          <Part title={t('trace.inputs')} value={step.inputs} />
          <Part title={t('trace.outputs')} value={step.outputs} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('trace.not_kept')}
        </Text>
      )}
    </Stack>
  );
}
