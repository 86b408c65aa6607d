import { AgentSource } from '@ai-studio/contract/console/agent-talks.ts';
import { ConsolePageText } from '@ai-studio/contract/console/retrieval.ts';
import { Anchor, Blockquote, Loader, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiUrl, api } from '../../api/client.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { Loaded } from '../loaded.tsx';
import { PassageView } from '../passage/passage-view.tsx';
import { useFormat } from '../use-format.ts';
import classes from './talk.module.css';

/** Which passage of which answer. */
export interface SourcePlace {
  /** Address of the answer. */
  readonly answer: string;
  readonly number: number;
}

const pathOf = ({ answer, number }: SourcePlace) => `${answer}/sources/${number}`;

const sourceQuery = (place: SourcePlace) =>
  queryOptions({
    queryKey: ['agent-source', pathOf(place)],
    queryFn: ({ signal }) => api.get(pathOf(place), AgentSource, { signal }),
  });

const textQuery = (place: SourcePlace) =>
  queryOptions({
    queryKey: ['agent-source', pathOf(place), 'text'],
    queryFn: ({ signal }) => api.get(`${pathOf(place)}/text`, ConsolePageText, { signal }),
  });

/** Wide enough for a drawer on a fine screen. */
const PICTURE_WIDTH = 1_600;

function PagePicture({ place, page }: { readonly place: SourcePlace; readonly page: number }) {
  const { t } = useTranslation('talk');
  const [state, setState] = useState<'waiting' | 'there' | 'failed'>('waiting');
  if (state === 'failed') return <PageText place={place} />;
  return (
    <div className={classes['sheet']}>
      {state === 'waiting' ? <Loader size="sm" /> : null}
      <img
        src={apiUrl(`${pathOf(place)}/picture`, { width: PICTURE_WIDTH })}
        alt={t('source_page_picture', { page })}
        data-state={state}
        onLoad={() => setState('there')}
        onError={() => setState('failed')}
      />
    </div>
  );
}

function PageText({ place }: { readonly place: SourcePlace }) {
  const { t } = useTranslation('talk');
  return (
    <Loaded query={useQuery(textQuery(place))}>
      {({ text, cut }) => (
        <div className={classes['paper']} lang="">
          <PassageView text={text} />
          {cut ? (
            <Text size="sm" c="dimmed" mt="sm">
              {t('source_cut')}
            </Text>
          ) : null}
        </div>
      )}
    </Loaded>
  );
}

/** A passage that is cited, and its page. */
export function Source({ place }: { readonly place: SourcePlace }) {
  const { t } = useTranslation('talk');
  const { number } = useFormat();
  const builds = hasPermission(useMe(), ['collections.manage']);
  return (
    <Loaded query={useQuery(sourceQuery(place))}>
      {({ citation, page, pictures, listed }) => (
        <Stack gap="md">
          <Blockquote p="md" radius="md" lang="" className={classes['quote'] ?? ''}>
            <PassageView text={citation.content} found={citation.matches} />
          </Blockquote>
          {page === null ? (
            <Text size="sm" c="dimmed">
              {t('source_gone')}
            </Text>
          ) : (
            <section aria-label={t('source_page', { page: number(page) })}>
              <Text size="sm" fw={600} mb="xs">
                {t('source_page', { page: number(page) })}
              </Text>
              {pictures ? <PagePicture place={place} page={page} /> : <PageText place={place} />}
            </section>
          )}
          {builds && listed && page !== null ? (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/collections/$collectionId/documents/$documentId"
                  params={{ collectionId: citation.collection_id, documentId: citation.document_id }}
                  search={{ chunk: citation.chunk_id, page }}
                  {...props}
                />
              )}
            >
              {t('source_document')}
            </Anchor>
          ) : null}
        </Stack>
      )}
    </Loaded>
  );
}
