import type { AgentRunTrace } from '@ai-studio/contract/console/agents.ts';
import type { RunStep } from '@ai-studio/contract/agents/run.ts';
import { Accordion, Alert, Badge, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { IconListTree } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../../parts/loaded.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import classes from '../agents.module.css';
import { traceQuery } from '../queries.ts';
import { useKindWords } from '../use-kind-words.ts';
import { Whole } from '../values/value.tsx';

const colors = {
  running: 'blue',
  waiting: 'orange',
  done: 'green',
  failed: 'red',
  skipped: 'gray',
  canceled: 'gray',
} as const;

function Part({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <Whole label={title} value={value} />
    </div>
  );
}

const msOf = ({ started_at: from, ended_at: to }: RunStep) =>
  to === null ? null : new Date(to).getTime() - new Date(from).getTime();

function Step({ step, name }: { readonly step: RunStep; readonly name: string }) {
  const { t } = useTranslation('agents');
  const { number, duration } = useFormat();
  const words = useKindWords();
  const ms = msOf(step);
  const tokens = step.usage.total_tokens;
  const kept = step.inputs !== null || step.outputs !== null;
  return (
    <Accordion.Item value={step.step}>
      <Accordion.Control>
        <Group gap="xs" justify="space-between" wrap="nowrap" pr="xs">
          <Group gap="xs" miw={0}>
            <Badge variant="light" color={colors[step.state]} tt="none">
              {t(`trace.states.${step.state}`)}
            </Badge>
            <Text size="sm" fw={600} className={classes['title'] ?? ''}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {step.step === step.node ? words.kind(step.kind) : `${words.kind(step.kind)} · ${step.step}`}
            </Text>
          </Group>
          <Text size="xs" c="dimmed" ta="end" className={classes['nowrap'] ?? ''}>
            {ms === null ? '' : duration(ms)}
            {tokens === 0 ? '' : ` · ${t('trace.tokens')} ${number(tokens)}`}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          {step.failure === null ? null : (
            <Alert color="red" variant="light">
              {step.failure.message}
            </Alert>
          )}
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
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
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
  return <Loaded query={useQuery(traceQuery(agentId, run))}>{(trace) => <Trace trace={trace} />}</Loaded>;
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
