import type { AgentRunTrace } from '@ai-studio/contract/console/agent-traces.ts';
import type { RunStep } from '@ai-studio/contract/agents/run.ts';
import { Accordion, Badge, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { IconListTree } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../../parts/loaded.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import classes from '../agents.module.css';
import { traceQuery } from '../queries.ts';
import { useKindLabels } from '../use-kind-labels.ts';
import { NamesContext } from '../values/known.tsx';
import { FailureView } from './failure.tsx';
import { msOf, stepColors, StepDetails } from './step-details.tsx';

function Step({ step, name }: { readonly step: RunStep; readonly name: string }) {
  const { t } = useTranslation('agents');
  const { number, duration } = useFormat();
  const labels = useKindLabels();
  const ms = msOf(step);
  const tokens = step.usage.total_tokens;
  return (
    <Accordion.Item value={step.step}>
      <Accordion.Control>
        <Group gap="xs" justify="space-between" wrap="nowrap" pr="xs">
          <Group gap="xs" miw={0}>
            <Badge variant="light" color={stepColors[step.state]} tt="none">
              {t(`trace.states.${step.state}`)}
            </Badge>
            <Text size="sm" fw={600} className={classes['title'] ?? ''}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {step.step === step.node ? labels.kind(step.kind) : `${labels.kind(step.kind)} · ${step.step}`}
            </Text>
          </Group>
          <Text size="xs" c="dimmed" ta="end" className={classes['nowrap'] ?? ''}>
            {ms === null ? '' : duration(ms)}
            {tokens === 0 ? '' : ` · ${t('trace.tokens')} ${number(tokens)}`}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <StepDetails step={step} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** Every node of a run: what it was given and gave, how long it took, and its tokens. */
export function Trace({ trace: { steps, definition, failure } }: { readonly trace: AgentRunTrace }) {
  const { t } = useTranslation('agents');
  const names = new Map(definition.nodes.map(({ id, name }) => [id, name || id]));
  return (
    <Stack gap="sm">
      {failure === null ? null : (
        <FailureView
          failure={failure}
          name={failure.node === null ? undefined : (names.get(failure.node) ?? failure.node)}
        />
      )}
      {steps.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('trace.no_steps')}
        </Text>
      ) : (
        <Accordion variant="separated" multiple order={3}>
          {steps.map((step) => (
            <Step key={step.step} step={step} name={names.get(step.node) ?? step.node} />
          ))}
        </Accordion>
      )}
    </Stack>
  );
}

/** Opens the trace of a run. */
export function TraceButton({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useTranslation('agents');
  return (
    <Button size="compact-xs" variant="subtle" leftSection={<IconListTree size={14} aria-hidden />} onClick={onOpen}>
      {t('sessions.trace_of')}
    </Button>
  );
}

interface TraceDrawerProps {
  readonly agentId: string;
  /** Null: closed. */
  readonly run: string | null;
  readonly onClose: () => void;
}

function Body({ agentId, run }: { readonly agentId: string; readonly run: string }) {
  return (
    <Loaded query={useQuery(traceQuery(agentId, run))}>
      {(trace) => (
        <NamesContext value={trace.names}>
          <Trace trace={trace} />
        </NamesContext>
      )}
    </Loaded>
  );
}

/** The trace of a run, beside the talk. */
export function TraceDrawer({ agentId, run, onClose }: TraceDrawerProps) {
  const { t } = useTranslation('agents');
  return (
    <Drawer opened={run !== null} onClose={onClose} position="right" size="44rem" title={t('trace.title')}>
      {run === null ? null : <Body agentId={agentId} run={run} />}
    </Drawer>
  );
}
