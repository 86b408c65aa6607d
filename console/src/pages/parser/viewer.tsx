import type { ParserBlocks, ParserDocument, ParserOutline, ParserPage } from '@ai-studio/contract/console/parser.ts';
import { ActionIcon, Group, SegmentedControl, Tabs, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { BlockList } from './block-list.tsx';
import { PageBar } from './page-bar.tsx';
import { Picture } from './picture.tsx';
import { blocksQuery } from './queries.ts';
import { RenderedPage } from './rendered-page.tsx';
import { TextPanel } from './text-panel.tsx';
import { type Highlighting, useHighlighting } from './use-blocks.ts';
import classes from './viewer.module.css';

const texts = ['markdown', 'html', 'text', 'json'] as const;

interface PartBarProps {
  readonly part: ParserBlocks;
  readonly onFrom: (from: number) => void;
}

/** The way through a page that has more blocks than are shown at once. */
function PartBar({ part: { from, total, next, items }, onFrom }: PartBarProps) {
  const { t } = useTranslation('parser');
  const { number } = useFormat();
  if (from === 0 && next === null) return null;
  return (
    <Group gap="xs" className={classes['part'] ?? ''}>
      <ActionIcon
        variant="default"
        size="sm"
        aria-label={t('previous_part')}
        disabled={from === 0}
        // Parts are as long as what stands in them lets them be; the first is always there.
        onClick={() => onFrom(Math.max(0, from - 200))}
      >
        <IconChevronLeft size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="sm"
        aria-label={t('next_part')}
        disabled={next === null}
        onClick={() => onFrom(next ?? from)}
      >
        <IconChevronRight size={14} aria-hidden />
      </ActionIcon>
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('part_of', { from: number(from + 1), to: number(from + items.length), total: number(total) })}
      </Text>
    </Group>
  );
}

interface ViewsProps {
  readonly id: string;
  readonly page: ParserPage;
  readonly part: ParserBlocks;
  readonly highlighting: Highlighting;
  readonly pictures: boolean;
  readonly tab: string | undefined;
  readonly onTab: (tab: string) => void;
}

/** What was read of a page: its blocks, and the same as it is written in each format. */
function Views({ id, page, part, highlighting, pictures, tab, onTab }: ViewsProps) {
  const { t } = useTranslation('parser');
  const names = ['blocks', ...(pictures ? (['preview'] as const) : []), ...texts] as const;
  const shown = names.find((name) => name === tab) ?? 'blocks';
  const { items: blocks } = part;
  const nothing = <EmptyState level={2} title={t('no_blocks')} hint={t('no_blocks_hint')} />;
  return (
    <Tabs
      value={shown}
      onChange={(name) => onTab(name ?? 'blocks')}
      keepMounted={false}
      className={classes['tabs'] ?? ''}
    >
      <Tabs.List aria-label={t('views')} className={classes['tabList'] ?? ''}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`tabs.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="blocks" className={classes['panel'] ?? ''}>
        {blocks.length === 0 ? (
          nothing
        ) : (
          <BlockList id={id} blocks={blocks} highlighting={highlighting} whole={pictures} />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="preview" className={classes['panel'] ?? ''}>
        {blocks.length === 0 ? (
          nothing
        ) : (
          <RenderedPage id={id} blocks={blocks} highlighting={highlighting} side="list" />
        )}
      </Tabs.Panel>
      {texts.map((format) => (
        <Tabs.Panel key={format} value={format} className={classes['panel'] ?? ''}>
          <TextPanel id={id} page={page.number} format={format} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Fetches the pages beside the one that is shown, so that they are there when they are wanted. */
function useNeighbours(id: string, pages: readonly ParserPage[], page: ParserPage) {
  const queries = useQueryClient();
  useEffect(() => {
    const after = pages[pages.indexOf(page) + 1];
    if (after !== undefined) queries.query(blocksQuery(id, after.number, 0)).catch(() => undefined);
  }, [queries, id, pages, page]);
}

interface ViewerProps {
  readonly document: ParserDocument;
  readonly outline: ParserOutline;
}

/** The pages of a document, and beside each what was read of it. */
export function Viewer({ document: { id }, outline: { pages, pictures } }: ViewerProps) {
  const { t } = useTranslation('parser');
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const highlighting = useHighlighting();
  const [zoom, setZoom] = useState(1);
  const [side, setSide] = useState<'page' | 'views'>('page');
  const [first] = pages;
  const page = pages.find(({ number }) => number === search.page) ?? first;
  const from = search.from ?? 0;
  const go = (change: { page?: number; from?: number | undefined; tab?: string }) =>
    void navigate({
      to: '/parser/$documentId',
      params: { documentId: id },
      search: { page: page?.number, from: search.from, tab: search.tab, ...change },
      replace: true,
      resetScroll: false,
    });
  const shown = page ?? { number: 1, blocks: 0 };
  useNeighbours(id, pages, shown);
  const query = useQuery(blocksQuery(id, shown.number, from));
  const drawn = pictures && shown.width !== undefined && shown.height !== undefined;
  return (
    <>
      <PageBar
        pages={pages}
        page={shown}
        onPage={(number) => go({ page: number, from: undefined })}
        zoom={drawn ? zoom : null}
        onZoom={setZoom}
      />
      <div className={classes['switch']}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('views')}
          value={side}
          onChange={(value) => setSide(value === 'views' ? 'views' : 'page')}
          data={[
            { value: 'page', label: t('page_view') },
            { value: 'views', label: t('views') },
          ]}
        />
      </div>
      <div className={classes['split']} data-side={side}>
        {/* A page that is longer than its place is scrolled by keys too. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section className={classes['pageSide']} aria-label={t('page_view')} tabIndex={0}>
          <Loaded query={query}>
            {(part) =>
              drawn ? (
                <Picture
                  key={shown.number}
                  id={id}
                  page={shown}
                  blocks={part.items}
                  highlighting={highlighting}
                  zoom={zoom}
                />
              ) : part.items.length === 0 ? (
                <EmptyState level={2} title={t('no_blocks')} hint={t('no_blocks_hint')} />
              ) : (
                <RenderedPage id={id} blocks={part.items} highlighting={highlighting} side="page" />
              )
            }
          </Loaded>
        </section>
        <section className={classes['viewSide']} aria-label={t('views')}>
          <Loaded query={query}>
            {(part) => (
              <>
                <PartBar part={part} onFrom={(next) => go({ from: next === 0 ? undefined : next })} />
                <Views
                  id={id}
                  page={shown}
                  part={part}
                  highlighting={highlighting}
                  pictures={drawn}
                  tab={search.tab}
                  onTab={(tab) => go({ tab })}
                />
              </>
            )}
          </Loaded>
        </section>
      </div>
    </>
  );
}
