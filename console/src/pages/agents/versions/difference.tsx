import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { DefinitionDifference } from '@ai-studio/contract/console/agents.ts';
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../agents.module.css';
import { useKindWords } from '../use-kind-words.ts';
import { Value, Whole } from '../values/value.tsx';

type Change = DefinitionDifference['changes'][number];

const colors = { added: 'green', removed: 'red', changed: 'blue' } as const;

/** Fields that say where a node stands and what it is, which stand above. */
const above: ReadonlySet<string> = new Set(['id', 'kind', 'name', 'position']);

const Node = (props: ComponentProps<typeof Value>) => <Whole {...props} without={above} />;

function ChangeView({ change }: { readonly change: Change }) {
  const { t } = useTranslation('agents');
  const { what, change: how, name, kind, path, before, after } = change;
  const words = useKindWords();
  const Part = path === null ? Node : Value;
  return (
    <li className={classes['panel']}>
      <Stack gap="xs">
        <Group gap="xs">
          <Badge variant="light" color={colors[how]} tt="none">
            {t(`difference.${how}`)}
          </Badge>
          <Text size="sm" fw={600} className={classes['title'] ?? ''}>
            {t(`difference.${what}`)} {name}
          </Text>
          {kind === null ? null : (
            <Text size="xs" c="dimmed">
              {words.kind(kind)}
            </Text>
          )}
          {path === null ? null : (
            <Text size="xs" ff="monospace">
              {path}
            </Text>
          )}
        </Group>
        {what === 'edge' ? null : (
          <div className={classes['sides']}>
            {how === 'added' ? null : <Part label={t('difference.before')} side="before" value={before} />}
            {how === 'removed' ? null : <Part label={t('difference.after')} side="after" value={after} />}
          </div>
        )}
      </Stack>
    </li>
  );
}

/** Everything of a definition, where there is nothing to compare it with. */
export const allNew = ({ nodes }: AgentDefinition): DefinitionDifference => ({
  changes: nodes.map((node) => ({
    what: 'node',
    change: 'added',
    name: node.name || node.id,
    kind: node.kind,
    path: null,
    before: null,
    after: node,
  })),
});

/** What differs between two definitions, node by node. */
export function Difference({ difference: { changes } }: { readonly difference: DefinitionDifference }) {
  const { t } = useTranslation('agents');
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('difference.none')}
      </Text>
    );
  return (
    <ul className={`${classes['plain']} ${classes['changes']}`} aria-label={t('difference.title')}>
      {changes.map((change) => (
        <ChangeView key={`${change.what} ${change.change} ${change.name} ${change.path ?? ''}`} change={change} />
      ))}
    </ul>
  );
}
