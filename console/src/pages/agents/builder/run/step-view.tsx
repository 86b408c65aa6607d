import type { RunStep } from '@ai-studio/contract/agents/run.ts';
import { Alert, Badge, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../../parts/code/code-block.tsx';
import { useFormat } from '../../../../parts/use-format.ts';

const colors = {
  running: 'blue',
  waiting: 'blue',
  done: 'green',
  failed: 'red',
  skipped: 'gray',
  canceled: 'gray',
} as const;

function Value({ label, value }: { readonly label: string; readonly value: unknown }) {
  const { t } = useTranslation('agentBuilder');
  return (
    <div>
      <Text size="xs" fw={600}>
        {label}
      </Text>
      {value === null || value === undefined ? (
        <Text size="xs" c="dimmed">
          {t('trace.nothing')}
        </Text>
      ) : (
        <CodeBlock
          code={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
          language={typeof value === 'string' ? null : 'json'}
          label={label}
          wraps
        />
      )}
    </div>
  );
}

/** One time of a node: what went in, what came out, how long it took. */
export function StepView({ step }: { readonly step: RunStep }) {
  const { t } = useTranslation('agentBuilder');
  const { duration, number } = useFormat();
  const ms = step.ended_at === null ? null : Date.parse(step.ended_at) - Date.parse(step.started_at);
  return (
    <Stack gap={6} component="article" aria-label={step.step}>
      <Group gap={6}>
        <Badge size="sm" variant="light" tt="none" color={colors[step.state]}>
          {t(`run_states.${step.state}`)}
        </Badge>
        <Text size="xs" c="dimmed">
          {[
            step.step === step.node ? null : step.step,
            ms === null ? null : duration(ms),
            step.usage.total_tokens > 0 ? t('tokens', { tokens: number(step.usage.total_tokens) }) : null,
            step.attempts > 1 ? t('trace.attempts', { count: step.attempts }) : null,
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </Text>
      </Group>
      {step.failure === null ? null : (
        <Alert color="red" variant="light" p="xs">
          {step.failure.message}
        </Alert>
      )}
      <Value label={t('trace.inputs')} value={step.inputs} />
      <Value label={t('trace.outputs')} value={step.outputs} />
    </Stack>
  );
}
