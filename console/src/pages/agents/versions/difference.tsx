import type { DefinitionDifference } from '@ai-studio/contract/console/agents.ts';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '../agents.module.css';
import { useKindLabels } from '../use-kind-labels.ts';
import { diffWords } from '../values/word-diff.ts';
import { NamesContext } from '../values/known.tsx';
import { Value, ObjectValue } from '../values/value.tsx';

type Change = DefinitionDifference['changes'][number];

const colors = { added: 'green', removed: 'red', changed: 'blue' } as const;

/** Fields that say where a node stands and what it is, which stand above. */
const above: ReadonlySet<string> = new Set(['id', 'kind', 'name', 'position']);

function ChangeView({ change }: { readonly change: Change }) {
  const { t } = useTranslation('agents');
  const { what, change: how, name, kind, path, before, after } = change;
  const labels = useKindLabels();
  const pieces = typeof before === 'string' && typeof after === 'string' ? diffWords(before, after) : null;
  const part = (side: 'before' | 'after', value: unknown) => {
    const label = t(`difference.${side}`);
    if (path === null)
      return (
        <ObjectValue
          label={label}
          side={side}
          value={value}
          without={above}
          labelOf={(field) => labels.field(kind, field)}
        />
      );
    return (
      <Value
        name={path}
        label={label}
        side={side}
        value={value}
        {...(pieces === null ? {} : { pieces: pieces[side] })}
      />
    );
  };
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
              {labels.kind(kind)}
            </Text>
          )}
          {path === null ? null : (
            <Text size="sm" title={path}>
              {labels.field(kind, path)}
            </Text>
          )}
        </Group>
        {what === 'edge' ? null : (
          <div className={classes['sides']}>
            {how === 'added' ? null : part('before', before)}
            {how === 'removed' ? null : part('after', after)}
          </div>
        )}
      </Stack>
    </li>
  );
}

/** What differs between two definitions, node by node. */
export function Difference({ difference: { changes, names } }: { readonly difference: DefinitionDifference }) {
  const { t } = useTranslation('agents');
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('difference.none')}
      </Text>
    );
  return (
    <NamesContext value={names}>
      <ul className={`${classes['plain']} ${classes['changes']}`} aria-label={t('difference.title')}>
        {changes.map((change) => (
          <ChangeView key={`${change.what} ${change.change} ${change.name} ${change.path ?? ''}`} change={change} />
        ))}
      </ul>
    </NamesContext>
  );
}
