import type { ParserBlock } from '@ai-studio/contract/console/parser.ts';
import { useTranslation } from 'react-i18next';
import { BlockView } from './block-view.tsx';
import { type Highlighting, useBlocks } from './use-blocks.ts';
import classes from './viewer.module.css';

interface RenderedPageProps {
  /** Of the document. */
  readonly id: string;
  readonly blocks: readonly ParserBlock[];
  readonly highlighting: Highlighting;
  readonly side: 'page' | 'list';
}

/** A page of a format that has no layout: its blocks one below the other, as they are read. */
export function RenderedPage({ id, blocks, highlighting, side }: RenderedPageProps) {
  const { t } = useTranslation('parser');
  const ids = blocks.map((block) => block.id);
  const { place, props } = useBlocks(ids, side, highlighting);
  return (
    <div ref={place} className={classes['paper']}>
      {blocks.map((block) => (
        <div
          key={block.id}
          className={classes['piece']}
          data-hidden={block.hidden}
          role="group"
          aria-label={t(`classes.${block.class}`)}
          {...props(block.id)}
        >
          <BlockView id={id} block={block} />
        </div>
      ))}
    </div>
  );
}
