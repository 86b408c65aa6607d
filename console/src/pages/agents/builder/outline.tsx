import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import { RunBadge } from './canvas/cards.tsx';
import { useBuilder } from './context.ts';
import { kindIcons } from './kind-icons.ts';
import { outlineOf } from './model/graph.ts';
import { type OpenMenu, focusedElement, pointedAt } from './menu/pointed.ts';
import { NodeMenu } from './node-menu.tsx';
import type { NodeRun } from './run/run-state.ts';
import { useNodeLabels } from './use-node-labels.ts';

interface OutlineProps {
  readonly runs: Readonly<Record<string, NodeRun>>;
  readonly onOpen: (id: string) => void;
  readonly onMenu: (menu: OpenMenu) => void;
}

/** The nodes as a list, in the order in which they run: all that the canvas shows, without looking at it. */
export function Outline({ runs, onOpen, onMenu }: OutlineProps) {
  const { t } = useTranslation('agentBuilder');
  const { definition, chosen, problems, options, choose } = useBuilder();
  const labels = useNodeLabels(options);
  const nameOf = (id: string) => labels.nameIn(definition, id);
  return (
    <Stack
      gap="xs"
      component="section"
      aria-label={t('outline')}
      onContextMenu={(event) => {
        const of = pointedAt(event.target, chosen);
        if (of === null) return;
        event.preventDefault();
        onMenu({ of, at: { x: event.clientX, y: event.clientY }, origin: focusedElement() });
      }}
    >
      <ul className={classes['kinds']}>
        {outlineOf(definition).map(({ node, depth }) => {
          const Picture = kindIcons[node.kind];
          const run = runs[node.id];
          const count = problems.filter((problem) => problem.node === node.id).length;
          const next = definition.edges.filter(({ from }) => from === node.id);
          return (
            <li key={node.id} className={classes['line']} data-depth={Math.min(depth, 3)}>
              <Group gap={2} wrap="nowrap">
                <UnstyledButton
                  className={classes['kind'] ?? ''}
                  data-node={node.id}
                  data-chosen={chosen.includes(node.id)}
                  aria-pressed={chosen.includes(node.id)}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey)
                      choose(chosen.includes(node.id) ? chosen.filter((id) => id !== node.id) : [...chosen, node.id]);
                    else {
                      choose([node.id]);
                      onOpen(node.id);
                    }
                  }}
                >
                  <Picture size={16} stroke={1.7} aria-hidden />
                  <span className={classes['lineText']}>
                    <Text size="sm" span truncate display="block">
                      {labels.name(node)}{' '}
                      <Text size="xs" c="dimmed" span>
                        {node.id}
                      </Text>
                    </Text>
                    {next.length === 0 ? null : (
                      <Text size="xs" c="dimmed" span truncate display="block">
                        {`→ ${next.map(({ to, branch }) => (branch === undefined ? nameOf(to) : `${branch}: ${nameOf(to)}`)).join(', ')}`}
                      </Text>
                    )}
                    {run === undefined ? null : (
                      <span className={classes['lineRun']}>
                        <RunBadge run={run} />
                      </span>
                    )}
                  </span>
                  {count === 0 ? null : (
                    <IconAlertTriangle
                      size={16}
                      className={classes['wrong'] ?? ''}
                      aria-label={t('problem_count', { count })}
                    />
                  )}
                </UnstyledButton>
                <NodeMenu node={node} />
              </Group>
            </li>
          );
        })}
      </ul>
      <Text size="xs" c="dimmed">
        {t('outline_hint')}
      </Text>
    </Stack>
  );
}
