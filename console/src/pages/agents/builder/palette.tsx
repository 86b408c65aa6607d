import type { NodeKind } from '@ai-studio/contract/agents/definition.ts';
import { Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import canvas from './canvas/canvas.module.css';
import { kindIcons } from './kind-icons.ts';
import { putKind } from './model/dragged.ts';
import { colorOf, paletteGroups } from './model/kinds.ts';

interface PaletteProps {
  /** Kinds that the agent cannot have one more of. */
  readonly unavailable: ReadonlySet<NodeKind>;
  readonly onInsert: (kind: NodeKind) => void;
  /** In a dialog: each kind says what it does, and none is dragged. */
  readonly inDialog?: boolean;
}

/** An Enter that ends a syllable of an input method is not meant. */
const isEnter = ({ key, nativeEvent }: KeyboardEvent) => key === 'Enter' && !nativeEvent.isComposing;

/** The kinds of nodes: dragged to the canvas, or inserted after the chosen node. */
export function Palette({ unavailable, onInsert, inDialog = false }: PaletteProps) {
  const { t } = useTranslation('agentBuilder');
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const fits = (kind: NodeKind) =>
    wanted === '' || `${t(`kinds.${kind}`)} ${t(`kind_hints.${kind}`)} ${kind}`.toLowerCase().includes(wanted);
  const groups = paletteGroups
    .map(({ group, kinds }) => ({ group, kinds: kinds.filter(fits) }))
    .filter(({ kinds }) => kinds.length > 0);
  // What Enter inserts: what is called so comes before what only speaks of it.
  const rank = (kind: NodeKind) => {
    const name = t(`kinds.${kind}`).toLowerCase();
    return name.startsWith(wanted) ? 0 : name.includes(wanted) ? 1 : 2;
  };
  const [first] = groups
    .flatMap(({ kinds }) => kinds)
    .filter((kind) => !unavailable.has(kind))
    .toSorted((a, b) => rank(a) - rank(b));
  return (
    <Stack gap="sm" component="section" aria-label={t('palette')}>
      <TextInput
        size="xs"
        aria-label={t('find_kind')}
        data-autofocus={inDialog}
        placeholder={t('find_kind')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (!isEnter(event) || first === undefined || wanted === '') return;
          event.preventDefault();
          onInsert(first);
          setText('');
        }}
      />
      {groups.map(({ group, kinds }) => (
        <div key={group}>
          <Text component="h2" className={classes['group'] ?? ''}>
            {t(`groups.${group}`)}
          </Text>
          <ul className={classes['kinds']} data-wide={inDialog}>
            {kinds.map((kind) => {
              const Picture = kindIcons[kind];
              const gone = unavailable.has(kind);
              return (
                <li key={kind}>
                  <UnstyledButton
                    className={classes['kind'] ?? ''}
                    {...(inDialog ? {} : { title: t(`kind_hints.${kind}`), draggable: !gone })}
                    disabled={gone}
                    onDragStart={({ dataTransfer }) => putKind(dataTransfer, kind)}
                    onClick={() => onInsert(kind)}
                  >
                    <span className={canvas['icon']} data-small data-color={colorOf(kind)}>
                      <Picture size={16} stroke={1.7} aria-hidden />
                    </span>
                    <span>
                      <Text size="sm" span display="block">
                        {t(`kinds.${kind}`)}
                      </Text>
                      {inDialog ? (
                        <Text size="xs" c="dimmed" span display="block">
                          {t(`kind_hints.${kind}`)}
                        </Text>
                      ) : null}
                    </span>
                  </UnstyledButton>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
      {groups.length === 0 ? (
        <Text size="sm" c="dimmed" role="status">
          {t('no_kind')}
        </Text>
      ) : null}
      {inDialog ? null : (
        <Text size="xs" c="dimmed">
          {t('palette_hint')}
        </Text>
      )}
    </Stack>
  );
}
