import { Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconLoader2,
  IconPlayerSkipForward,
  IconMessageQuestion,
} from '@tabler/icons-react';
import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../parts/use-format.ts';
import { useBuilder } from '../context.ts';
import { kindIcons } from '../kind-icons.ts';
import { colorOf } from '../model/kinds.ts';
import { outputsOf } from '../model/graph.ts';
import type { NodeRun } from '../run/run-state.ts';
import { useNodeLabels } from '../use-node-labels.ts';
import classes from './canvas.module.css';
import type { CardData, FlowNode } from './flow.ts';

const runIcons = {
  running: IconLoader2,
  waiting: IconMessageQuestion,
  done: IconCircleCheck,
  failed: IconCircleX,
  skipped: IconPlayerSkipForward,
  canceled: IconCircleDashed,
} as const;

const TICK_MS = 1_000;

/** How long a node took, or has been running; null where that says nothing. */
function useElapsed({ state, since, ms }: NodeRun): number | null {
  const [now, setNow] = useState(Date.now);
  const runs = state === 'running' && since !== null;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [runs]);
  if (state === 'skipped' || state === 'waiting') return null;
  if (!runs) return state === 'running' ? null : ms;
  // Whole seconds: what changes by itself is to be quiet.
  const whole = Math.floor((now - since) / TICK_MS) * TICK_MS;
  return whole >= TICK_MS ? whole : null;
}

/** How a node fared: its state, how long it took and how many tokens. */
export function RunBadge({ run }: { readonly run: NodeRun }) {
  const { t } = useTranslation('agentBuilder');
  const { duration, compact } = useFormat();
  const Picture = runIcons[run.state];
  const elapsed = useElapsed(run);
  const figures = [
    elapsed === null ? null : duration(elapsed),
    run.times > 1 ? `×${run.times}` : null,
    run.tokens > 0 ? t('tokens', { tokens: compact(run.tokens) }) : null,
  ].filter((figure) => figure !== null);
  return (
    <span className={classes['run']} data-state={run.state} title={run.message ?? undefined}>
      <Picture size={14} aria-hidden />
      <span>{[t(`run_states.${run.state}`), ...figures].join(' · ')}</span>
    </span>
  );
}

function Head({ data }: { readonly data: CardData }) {
  const { t } = useTranslation('agentBuilder');
  const { options } = useBuilder();
  const labels = useNodeLabels(options);
  const { node, errors, warnings } = data;
  const Picture = kindIcons[node.kind];
  return (
    <Group gap={10} wrap="nowrap" className={classes['head'] ?? ''}>
      <span className={classes['icon']} data-color={colorOf(node.kind)}>
        <Picture size={18} stroke={1.7} aria-hidden />
      </span>
      <div className={classes['titles']}>
        <Text size="sm" fw={600} truncate lh={1.3}>
          {labels.name(node)}{' '}
          <Text size="xs" fw={400} c="dimmed" span>
            {node.id}
          </Text>
        </Text>
        <Text size="xs" c="dimmed" truncate lh={1.3}>
          {labels.summary(node)}
        </Text>
      </div>
      {errors + warnings === 0 ? null : (
        <span
          className={classes['problem']}
          data-error={errors > 0}
          title={t('problem_count', { count: errors + warnings })}
        >
          <IconAlertTriangle size={16} aria-hidden />
        </span>
      )}
    </Group>
  );
}

function Target({ data }: { readonly data: CardData }) {
  return data.node.kind === 'input' ? null : (
    <Handle type="target" position={Position.Left} className={classes['handle'] ?? ''} aria-hidden />
  );
}

function Card({ data, selected }: NodeProps<FlowNode>) {
  const { t } = useTranslation('agentBuilder');
  const { node, run, errors } = data;
  const ways = outputsOf(node);
  return (
    <div className={classes['card']} data-chosen={selected} data-run={run?.state} data-wrong={errors > 0}>
      <Target data={data} />
      <Head data={data} />
      {node.kind === 'condition' ? (
        <div className={classes['ways']}>
          {ways.map((branch) => (
            <div key={branch} className={classes['way']}>
              <Text size="xs" c="dimmed" truncate>
                {branch === 'else' ? t('otherwise') : branch}
              </Text>
              <Handle
                type="source"
                id={branch ?? null}
                position={Position.Right}
                className={classes['handle'] ?? ''}
                aria-hidden
              />
            </div>
          ))}
        </div>
      ) : ways.length === 0 ? null : (
        <Handle type="source" position={Position.Right} className={classes['handle'] ?? ''} aria-hidden />
      )}
      {run === null ? null : <RunBadge run={run} />}
    </div>
  );
}

function Container({ data, selected }: NodeProps<FlowNode>) {
  const { t } = useTranslation('agentBuilder');
  const { run, errors, empty } = data;
  return (
    <div className={classes['container']} data-chosen={selected} data-run={run?.state} data-wrong={errors > 0}>
      <Target data={data} />
      <Head data={data} />
      <Handle type="source" position={Position.Right} className={classes['handle'] ?? ''} aria-hidden />
      {empty ? (
        <Text size="xs" c="dimmed" className={classes['hollow'] ?? ''}>
          {t('drop_inside')}
        </Text>
      ) : null}
      {run === null ? null : <RunBadge run={run} />}
    </div>
  );
}

/** What draws nodes on the canvas. */
export const nodeTypes = { card: memo(Card), container: memo(Container) };
