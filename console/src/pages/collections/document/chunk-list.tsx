import type { Chunk } from '@ai-studio/contract/retrieval/chunk.ts';
import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { ActionIcon, Breadcrumbs, Button, Group, Stack, Switch, Text, UnstyledButton } from '@mantine/core';
import { IconPencil, IconPlus, IconPuzzle, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Pager } from '../../../parts/table/pager.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { CHUNKS_SIZE, chunkQuery, chunksQuery, documentPath } from '../queries.ts';
import { ChunkDialog } from './chunk-dialog.tsx';
import classes from './document.module.css';
import { PassageView } from '../../../parts/passage/passage-view.tsx';
import { titlesAtBegin } from '../../../parts/passage/titles.ts';

interface ChunkViewProps {
  readonly chunk: Chunk;
  readonly mayChange: boolean;
  /** Somebody came here for it. */
  readonly highlighted: boolean;
  readonly onPage: (page: number) => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Facts({ chunk, onPage }: Pick<ChunkViewProps, 'chunk' | 'onPage'>) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const { start_page: from, end_page: to, tokens } = chunk.metadata;
  return (
    <Group gap="xs">
      <Text size="sm" fw={600}>
        {t('document.chunk_number', { number: number(chunk.order) })}
      </Text>
      {from === null ? null : (
        <UnstyledButton className={classes['page'] ?? ''} onClick={() => onPage(from)}>
          {to === null || to === from
            ? t('document.page_of', { page: number(from) })
            : t('document.pages_span', { from: number(from), to: number(to) })}
        </UnstyledButton>
      )}
      <Text size="xs" c="dimmed">
        {t('document.tokens', { shown: number(tokens) })}
      </Text>
    </Group>
  );
}

function ChunkView({ chunk, mayChange, highlighted, onPage, onEdit, onRemove }: ChunkViewProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (highlighted) ref.current?.scrollIntoView({ block: 'start' });
  }, [highlighted]);
  const place = number(chunk.order);
  // What a chunk begins with it says already.
  const said = titlesAtBegin(chunk.content);
  const above = chunk.metadata.headings.filter((heading) => heading !== chunk.title && !said.has(heading));
  return (
    <li ref={ref} className={classes['chunk']} data-highlighted={highlighted}>
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap">
          <Facts chunk={chunk} onPage={onPage} />
          {mayChange ? (
            <Group gap={2} wrap="nowrap">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('document.edit_chunk', { number: place })}
                onClick={onEdit}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('document.remove_chunk', { number: place })}
                onClick={onRemove}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ) : null}
        </Group>
        {above.length === 0 ? null : (
          <Breadcrumbs separator="›" separatorMargin={6}>
            {above.map((heading, at) => (
              // Headings have no name but their place.
              // oxlint-disable-next-line react/no-array-index-key
              <Text key={at} size="xs" c="dimmed">
                {heading}
              </Text>
            ))}
          </Breadcrumbs>
        )}
        {chunk.title === '' || said.has(chunk.title) ? null : (
          <Text size="sm" fw={600}>
            {chunk.title}
          </Text>
        )}
        {chunk.metadata.context === undefined ? null : (
          <Text size="xs" c="dimmed" fs="italic">
            {chunk.metadata.context}
          </Text>
        )}
        <div className={classes['content']} lang="">
          <PassageView text={chunk.content} />
        </div>
      </Stack>
    </li>
  );
}

interface ChunkListProps {
  readonly document: Document;
  readonly mayChange: boolean;
  /** Page of the original that is shown. */
  readonly page: number | undefined;
  /** Chunk that the address names: the list begins at it. */
  readonly targetId: string | undefined;
  readonly onPage: (page: number) => void;
}

/** Where the list begins: with the part that holds the chunk that somebody came for. */
function useFrom({ document, targetId }: Pick<ChunkListProps, 'document' | 'targetId'>) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { data } = useQuery({
    ...chunkQuery(document.collection_id, document.document_id, targetId ?? ''),
    enabled: targetId !== undefined,
  });
  const from = chosen ?? (data === undefined ? 0 : Math.floor((data.order - 1) / CHUNKS_SIZE) * CHUNKS_SIZE);
  return [from, setChosen] as const;
}

/** What searches find of a document. */
export function ChunkList({ document, mayChange, page, targetId, onPage }: ChunkListProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const { number } = useFormat();
  const { done } = useNotify();
  const queries = useQueryClient();
  const [from, setFrom] = useFrom({ document, targetId });
  const [alone, setAlone] = useState(false);
  const [edited, setEdited] = useState<Chunk | null | undefined>(undefined);
  const [asked, setAsked] = useState<Chunk | null>(null);
  const onPageAlone = alone ? (page ?? 1) : null;
  const query = useQuery(chunksQuery(document, { from: alone ? 0 : from, onPage: onPageAlone }));
  const { collection_id: id, document_id: documentId, searchable } = document;
  return (
    <section className={classes['side']} aria-label={t('chunks')}>
      <Group className={classes['bar'] ?? ''} justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {t('chunks')} {number(query.data?.total ?? document.chunk_count)}
        </Text>
        <Group gap="sm">
          {document.page_count === null || document.page_count < 2 ? null : (
            <Switch
              size="xs"
              label={t('document.page_chunks', { page: number(page ?? 1) })}
              checked={alone}
              onChange={({ currentTarget }) => setAlone(currentTarget.checked)}
            />
          )}
          {mayChange && searchable ? (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => setEdited(null)}
            >
              {t('document.add_chunk')}
            </Button>
          ) : null}
        </Group>
      </Group>
      {/* What scrolls can be reached by the keyboard; the region of this name stands around it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['scroll']} role="group" aria-label={t('chunks')} tabIndex={0}>
        <Loaded query={query}>
          {({ items, total }) =>
            items.length === 0 ? (
              <EmptyState
                icon={IconPuzzle}
                title={t(alone ? 'document.no_page_chunks' : 'document.no_chunks')}
                {...(searchable ? {} : { hint: t('document.no_chunks_yet') })}
              />
            ) : (
              <Stack gap="md">
                <ol className={classes['chunks']}>
                  {items.map((chunk) => (
                    <ChunkView
                      key={chunk.chunk_id}
                      chunk={chunk}
                      mayChange={mayChange}
                      highlighted={chunk.chunk_id === targetId}
                      onPage={onPage}
                      onEdit={() => setEdited(chunk)}
                      onRemove={() => setAsked(chunk)}
                    />
                  ))}
                </ol>
                {total > CHUNKS_SIZE && !alone ? (
                  <Pager
                    justify="center"
                    label={t('chunks')}
                    page={from / CHUNKS_SIZE + 1}
                    pages={Math.ceil(total / CHUNKS_SIZE)}
                    onPage={(next) => setFrom((next - 1) * CHUNKS_SIZE)}
                  />
                ) : null}
              </Stack>
            )
          }
        </Loaded>
      </div>
      <ChunkDialog document={document} chunk={edited} page={page ?? null} onClose={() => setEdited(undefined)} />
      <ConfirmDialog
        opened={asked !== null}
        title={t('document.remove_chunk_title')}
        confirmLabel={common('remove')}
        onConfirm={async () => {
          if (asked === null) return;
          await api.run('DELETE', `${documentPath(id, documentId)}/chunks/${asked.chunk_id}`);
          await queries.invalidateQueries({ queryKey: ['collection', id, 'document', documentId] });
          done(t('removed'));
        }}
        onClose={() => setAsked(null)}
      >
        <Text size="sm">{t('document.remove_chunk_text')}</Text>
      </ConfirmDialog>
    </section>
  );
}
