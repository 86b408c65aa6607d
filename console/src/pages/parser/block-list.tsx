import type { ParserBlock } from '@ai-studio/contract/console/parser.ts';
import { Badge, Group, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../parts/use-format.ts';
import { BlockView } from './block-view.tsx';
import { briefOf } from './content-view.tsx';
import { type Highlighting, useBlocks } from './use-blocks.ts';
import classes from './viewer.module.css';

interface BlockListProps {
  /** Of the document. */
  readonly id: string;
  readonly blocks: readonly ParserBlock[];
  readonly highlighting: Highlighting;
  /** The page beside shows a picture: then the blocks are shown here as they are read, else only what they are. */
  readonly whole: boolean;
}

function Facts({ block }: { readonly block: ParserBlock }) {
  const { t } = useTranslation('parser');
  const { percent } = useFormat();
  const { id, class: name, level, confidence, hidden, content } = block;
  return (
    <Group gap={6} mb={4}>
      <Badge variant="light" size="sm" tt="none" className={classes['class'] ?? ''} data-class={name}>
        {content.type === 'footnote' ? t(`notes.${content.kind}`) : t(`classes.${name}`)}
      </Badge>
      {level === undefined ? null : (
        <Text size="xs" c="dimmed">
          {t('level', { level })}
        </Text>
      )}
      {confidence === undefined ? null : (
        <Text size="xs" c="dimmed">
          {t('confidence', { percent: percent(confidence) })}
        </Text>
      )}
      {hidden ? (
        <Badge variant="light" color="gray" size="sm" tt="none" leftSection={<IconEyeOff size={12} aria-hidden />}>
          {t('hidden')}
        </Badge>
      ) : null}
      <Text size="xs" c="dimmed" ff="monospace" ml="auto">
        {id}
      </Text>
    </Group>
  );
}

/** What was recognised on a page, one block after the other. */
export function BlockList({ id, blocks, highlighting, whole }: BlockListProps) {
  const { t } = useTranslation('parser');
  const ids = blocks.map((block) => block.id);
  const { place, props } = useBlocks(ids, 'list', highlighting);
  return (
    <div ref={place} className={classes['list']}>
      {blocks.map((block) => (
        <div
          key={block.id}
          className={classes['entry']}
          data-class={block.class}
          role="group"
          aria-label={t(`classes.${block.class}`)}
          {...props(block.id)}
        >
          <Facts block={block} />
          {whole ? (
            <BlockView id={id} block={block} />
          ) : (
            <Text size="sm" lineClamp={2} lang="">
              {briefOf(block.content).slice(0, 300)}
            </Text>
          )}
        </div>
      ))}
    </div>
  );
}
