import type { RunStep } from '@ai-studio/contract/agents/run.ts';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../parts/use-format.ts';
import { StepDetails, msOf, stepColors } from '../../sessions/step-details.tsx';

/** One time of a node: what went in, what came out, how long it took. */
export function StepView({ step }: { readonly step: RunStep }) {
  const { t } = useTranslation('agentBuilder');
  const { duration, number } = useFormat();
  const ms = msOf(step);
  return (
    <Stack gap={6} component="article" aria-label={step.step}>
      <Group gap={6}>
        <Badge size="sm" variant="light" tt="none" color={stepColors[step.state]}>
          {t(`run_states.${step.state}`)}
        </Badge>
        <Text size="xs" c="dimmed">
          {[
            step.step === step.node ? null : step.step,
            ms === null ? null : duration(ms),
            step.usage.total_tokens > 0 ? t('tokens', { tokens: number(step.usage.total_tokens) }) : null,
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </Text>
      </Group>
      <StepDetails step={step} />
    </Stack>
  );
}
