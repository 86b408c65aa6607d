import type { ConsoleOriginal } from '@ai-studio/contract/console/retrieval.ts';
import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { Group, Loader, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/error.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { PageSteps } from '../../../parts/page-steps.tsx';
import { PassageView } from '../../../parts/passage/passage-view.tsx';
import { originalQuery, pageTextQuery, pictureAddress } from '../queries.ts';
import classes from './document.module.css';

interface PageProps {
  readonly document: Document;
  readonly page: number;
}

/** Widths that pictures are asked for in, so that a window that is drawn wider does not ask for each pixel. */
const widths = [800, 1_200, 1_600, 2_400] as const;

function PagePicture({ document, page }: PageProps) {
  const { t } = useTranslation('collectionsPage');
  const { ref, width: room } = useElementSize();
  const [state, setState] = useState<'waiting' | 'there' | 'failed'>('waiting');
  const wanted = widths.find((width) => width >= room * globalThis.devicePixelRatio) ?? 2_400;
  return (
    <div ref={ref} className={classes['sheet']}>
      {room === 0 ? null : (
        <img
          src={pictureAddress(document, page, wanted)}
          alt={t('document.picture_of', { page })}
          data-state={state}
          onLoad={() => setState('there')}
          onError={() => setState('failed')}
        />
      )}
      {state === 'there' ? null : (
        <div className={classes['wait']}>
          {state === 'waiting' ? (
            <Loader size="sm" />
          ) : (
            <Text c="dark.7" size="sm" role="status" ta="center" p="md">
              {t('document.picture_failed')}
            </Text>
          )}
        </div>
      )}
    </div>
  );
}

function PageText({ document, page }: PageProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Loaded query={useQuery(pageTextQuery(document, page))}>
      {({ text, cut }) => (
        <div className={classes['paper']} lang="">
          {text.trim() === '' ? <Text c="dimmed">{t('document.empty_page')}</Text> : <PassageView text={text} />}
          {cut ? (
            <Text size="sm" c="dimmed" mt="sm">
              {t('document.cut')}
            </Text>
          ) : null}
        </div>
      )}
    </Loaded>
  );
}

interface BarProps {
  readonly pages: ConsoleOriginal['pages'];
  readonly page: number;
  readonly onPage: (page: number) => void;
}

function PageBar({ pages, page, onPage }: BarProps) {
  const { t } = useTranslation('collectionsPage');
  const name = pages.find(({ number }) => number === page)?.name;
  return (
    <Group component="nav" aria-label={t('document.original')} className={classes['bar'] ?? ''} gap="xs" wrap="nowrap">
      <PageSteps pages={pages} page={page} onPage={onPage} />
      {name === undefined ? null : (
        <Text size="sm" c="dimmed" truncate>
          {name}
        </Text>
      )}
    </Group>
  );
}

interface OriginalProps {
  readonly document: Document;
  /** Of the address; the first where it has none. */
  readonly page: number | undefined;
  readonly onPage: (page: number) => void;
}

/** A document as it is, page by page. */
export function Original({ document, page, onPage }: OriginalProps) {
  const { t } = useTranslation('collectionsPage');
  const query = useQuery(originalQuery(document));
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <section className={classes['side']} aria-label={t('document.original')}>
        <EmptyState icon={IconFileOff} title={t('document.not_read')} hint={t('document.not_read_hint')} />
      </section>
    );
  return (
    <section className={classes['side']} aria-label={t('document.original')}>
      <Loaded query={query}>
        {({ pages, pictures }) => {
          const shown = pages.find(({ number }) => number === page)?.number ?? pages[0]?.number ?? 1;
          return (
            <>
              <PageBar pages={pages} page={shown} onPage={onPage} />
              {/* A page that is longer than its place is scrolled by keys too. */}
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
              <section className={classes['scroll']} aria-label={t('document.page_of', { page: shown })} tabIndex={0}>
                {pictures ? (
                  <PagePicture key={shown} document={document} page={shown} />
                ) : (
                  <PageText document={document} page={shown} />
                )}
              </section>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
