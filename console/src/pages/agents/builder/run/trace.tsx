import { Accordion, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../../../parts/loaded.tsx';
import { LoadingRows } from '../../../../parts/loading.tsx';
import { traceQuery } from '../../queries.ts';
import { NamesContext } from '../../values/known.tsx';
import { RunBadge } from '../canvas/cards.tsx';
import { useBuilder } from '../context.ts';
import { nodeOf } from '../model/graph.ts';
import { useNodeLabels } from '../use-node-labels.ts';
import { type RunSnapshot, isOwnStep } from './run-state.ts';
import { StepView } from './step-view.tsx';

const MAX_STEPS = 20;

interface TraceProps {
  readonly view: RunSnapshot;
  /** The node whose trace is open. */
  readonly node: string | null;
  readonly onNode: (id: string | null) => void;
}

function NodeTrace({ runId, node }: { readonly runId: string; readonly node: string }) {
  const { t } = useTranslation('agentBuilder');
  const { agentId } = useBuilder();
  const query = useQuery(traceQuery(agentId, runId));
  return (
    <Loaded query={query} loading={<LoadingRows rows={2} />}>
      {({ steps, names }) => {
        const own = steps.filter((step) => step.node === node && isOwnStep(step.step));
        return (
          <Stack gap="md">
            <NamesContext value={names}>
              {own.slice(0, MAX_STEPS).map((step) => (
                <StepView key={step.step} step={step} />
              ))}
            </NamesContext>
            {own.length === 0 ? (
              <Text size="xs" c="dimmed">
                {t('trace.none')}
              </Text>
            ) : null}
            {own.length > MAX_STEPS ? (
              <Text size="xs" c="dimmed">
                {t('trace.more', { count: own.length - MAX_STEPS })}
              </Text>
            ) : null}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** The nodes that have run, each with what went in and what came out. */
export function Trace({ view, node, onNode }: TraceProps) {
  const { t } = useTranslation('agentBuilder');
  const { definition, options } = useBuilder();
  const labels = useNodeLabels(options);
  const { runId } = view;
  if (runId === null) return null;
  const open = node !== null && view.nodes[node] !== undefined ? node : null;
  return (
    <section aria-label={t('trace.title')}>
      <Text size="sm" fw={600} mb={4}>
        {t('trace.title')}
      </Text>
      <Accordion variant="contained" value={open} onChange={onNode} order={3}>
        {Object.entries(view.nodes).map(([id, run]) => {
          const found = nodeOf(definition, id);
          return (
            <Accordion.Item key={id} value={id}>
              <Accordion.Control>
                <Group gap="xs" justify="space-between" wrap="nowrap" pr="xs">
                  <Text size="sm" truncate>
                    {found === undefined ? id : labels.name(found)}{' '}
                    <Text size="xs" c="dimmed" span>
                      {id}
                    </Text>
                  </Text>
                  <RunBadge run={run} />
                </Group>
              </Accordion.Control>
              <Accordion.Panel>{open === id ? <NodeTrace runId={runId} node={id} /> : null}</Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
    </section>
  );
}
