import type { ParserBlock, ParserPage } from '@ai-studio/contract/console/parser.ts';
import { Loader, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { briefOf } from './content-view.tsx';
import { pictureAddress } from './queries.ts';
import { type Highlighting, useBlocks } from './use-blocks.ts';
import classes from './viewer.module.css';

/** Widths that pictures are asked for in, so that a window that is drawn wider does not ask for each pixel. */
const widths = [800, 1_200, 1_600, 2_400] as const;

/** Sides that differ more than rounding makes them, as the logarithm of their ratio. */
const TURNED = 0.1;

const widthFor = (pixels: number) => widths.find((width) => width >= pixels) ?? widths[widths.length - 1] ?? 2_400;
const share = (part: number, whole: number) => `${(100 * part) / whole}%`;

interface PictureProps {
  readonly id: string;
  readonly page: ParserPage;
  readonly blocks: readonly ParserBlock[];
  readonly highlighting: Highlighting;
  /** 1 fits the width. */
  readonly zoom: number;
}

type Placed = ParserBlock & { readonly box: NonNullable<ParserBlock['box']> };
const isPlaced = (block: ParserBlock): block is Placed => block.box !== undefined;

function Boxes({ page, blocks, highlighting }: Pick<PictureProps, 'page' | 'blocks' | 'highlighting'>) {
  const { t } = useTranslation('parser');
  const placed = blocks.filter(isPlaced);
  const ids = placed.map(({ id }) => id);
  const { place, props } = useBlocks(ids, 'page', highlighting);
  const { width = 1, height = 1 } = page;
  return (
    <div ref={place} className={classes['boxes']} role="group" aria-label={t('boxes')}>
      {placed.map(({ id, class: name, content, box: [left, top, right, bottom] }) => (
        <button
          key={id}
          type="button"
          className={classes['box']}
          data-class={name}
          // Nobody has said which language the document is in.
          lang=""
          aria-label={t('block_of', { class: t(`classes.${name}`), text: briefOf(content).slice(0, 80) })}
          style={{
            left: share(left, width),
            top: share(top, height),
            width: share(right - left, width),
            height: share(bottom - top, height),
          }}
          {...props(id)}
        />
      ))}
    </div>
  );
}

/** A page as it looks, with the places of its blocks. */
export function Picture({ id, page, blocks, highlighting, zoom }: PictureProps) {
  const { t } = useTranslation('parser');
  const { ref, width: now } = useElementSize();
  // While it is out of sight it has no width; the picture stays.
  const [room, setRoom] = useState(0);
  if (now > 0 && now !== room) setRoom(now);
  const [state, setState] = useState<'waiting' | 'there' | 'failed'>('waiting');
  const [sides, setSides] = useState<readonly [number, number] | null>(null);
  const wanted = widthFor(room * zoom * globalThis.devicePixelRatio);
  const { width = 595, height = 842 } = page;
  // A page that was turned for reading: its boxes would lie elsewhere on the picture.
  const turned = sides !== null && Math.abs(Math.log((sides[0] / sides[1]) * (height / width))) > TURNED;
  const [across, down] = turned && sides !== null ? sides : [width, height];
  return (
    <div ref={ref} className={classes['room']}>
      <div className={classes['sheet']} style={{ width: `${zoom * 100}%`, aspectRatio: `${across} / ${down}` }}>
        {room === 0 ? null : (
          <img
            src={pictureAddress(id, page.number, wanted)}
            alt={t('picture_of', { page: page.number })}
            data-state={state}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              setState('there');
              setSides([naturalWidth, naturalHeight]);
            }}
            onError={() => setState('failed')}
          />
        )}
        {state === 'waiting' && room > 0 ? (
          <div className={classes['wait']}>
            <Loader size="sm" />
          </div>
        ) : null}
        {state === 'failed' ? (
          <Text className={classes['wait'] ?? ''} c="dark.7" size="sm" role="status" ta="center" p="md">
            {t('picture_failed')}
          </Text>
        ) : null}
        {turned ? null : <Boxes page={page} blocks={blocks} highlighting={highlighting} />}
      </div>
    </div>
  );
}
