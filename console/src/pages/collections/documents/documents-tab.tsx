import {
  type ConsoleCollection,
  type ConsoleDocuments,
  type DocumentGroup,
  documentGroups,
  documentOrders,
} from '@ai-studio/contract/console/retrieval.ts';
import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFiles, IconRefresh, IconSearch, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { type Order } from '../../../parts/table/order.ts';
import { Pager } from '../../../parts/table/pager.tsx';
import { orderOf, sortText } from '../../../parts/table/table-address.ts';
import { useRemovals } from '../../../parts/undo/use-removals.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { forEachConcurrently } from '../../../api/for-each-concurrently.ts';
import { DOCUMENTS_SIZE, documentsQuery, isOpen } from '../queries.ts';
import { reindexDocument, removeDocuments } from './bulk-actions.ts';
import { DocumentTable } from './document-table.tsx';
import { UploadSection } from './upload-section.tsx';

interface TabProps {
  readonly collection: ConsoleCollection;
}

interface FilterBarProps {
  readonly counts: ConsoleDocuments['counts'];
  readonly group: DocumentGroup | null;
  readonly onGroup: (group: DocumentGroup | null) => void;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
}

function FilterBar({ counts, group, onGroup, typed, onTyped }: FilterBarProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const all = counts.open + counts.ready + counts.failed;
  const label = (name: 'all' | DocumentGroup, count: number) =>
    t('group_of', { group: t(`groups.${name}`), shown: number(count) });
  return (
    <Group justify="space-between" gap="sm">
      <SegmentedControl
        size="sm"
        aria-label={t('state')}
        value={group ?? 'all'}
        onChange={(value) => onGroup(documentGroups.find((known) => known === value) ?? null)}
        data={[
          { value: 'all', label: label('all', all) },
          ...documentGroups.map((value) => ({ value, label: label(value, counts[value]) })),
        ]}
      />
      <TextInput
        aria-label={t('find_document')}
        placeholder={t('find_document')}
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={200}
        w={{ base: '100%', sm: '18rem' }}
        value={typed}
        onChange={({ currentTarget }) => onTyped(currentTarget.value)}
      />
    </Group>
  );
}

interface BulkBarProps {
  readonly page: readonly Document[];
  readonly selected: ReadonlySet<string>;
  readonly onSelected: (selected: ReadonlySet<string>) => void;
  readonly onRemove: () => void;
  readonly onReindex: () => void;
  readonly busy: boolean;
}

function BulkBar({ page, selected, onSelected, onRemove, onReindex, busy }: BulkBarProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const some = selected.size > 0;
  return (
    <Group gap="sm" mih={36}>
      <Checkbox
        label={some ? t('selected', { count: selected.size }) : t('select_page')}
        checked={some && page.every(({ document_id: id }) => selected.has(id))}
        indeterminate={some && page.some(({ document_id: id }) => !selected.has(id))}
        onChange={({ currentTarget }) =>
          onSelected(new Set(currentTarget.checked ? page.map(({ document_id: id }) => id) : []))
        }
      />
      {some ? (
        <>
          <Button
            size="compact-sm"
            variant="default"
            loading={busy}
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={onReindex}
          >
            {t('reindex')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={onRemove}
          >
            {common('remove')}
          </Button>
        </>
      ) : null}
    </Group>
  );
}

const groupOf = (document: Document): DocumentGroup =>
  isOpen(document) ? 'open' : document.state === 'failed' ? 'failed' : 'ready';
/** What a document that is to be gone is counted among. */
const countedAmong = (collectionId: string, group: DocumentGroup) => `${collectionId} ${group}`;

interface ListProps extends TabProps {
  readonly list: ConsoleDocuments;
  /** Documents of the list, without those that are to be gone. */
  readonly total: number;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly order: Order | null;
  readonly onOrder: (order: Order | null) => void;
}

function List({ collection, list, total, page, onPage, order, onOrder }: ListProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: parts } = useTranslation('parts');
  const { done, failed } = useNotify();
  const queries = useQueryClient();
  const { waiting, remove } = useRemovals();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const items = list.items.filter(({ document_id: one }) => !waiting.has(one));
  const chosen = items.filter(({ document_id: id }) => selected.has(id));
  const refresh = () => queries.invalidateQueries({ queryKey: ['collection', collection.collection_id] });
  const { mutate: reindex, isPending } = useMutation({
    mutationFn: (documents: readonly Document[]) => forEachConcurrently(documents, reindexDocument),
    onSuccess: (_, documents) => done(t('reindex_begun', { count: documents.length })),
    onError: failed,
    onSettled: refresh,
  });
  const removeAll = (documents: readonly Document[]) => {
    setSelected(new Set());
    const [first] = documents;
    const groups = new Map(documents.map((document) => [document.document_id, groupOf(document)]));
    remove({
      ids: documents.map(({ document_id: one }) => one),
      message:
        documents.length === 1
          ? t('document_removed', { name: first?.document_name ?? '' })
          : t('documents_removed', { count: documents.length }),
      groupOf: (one) => countedAmong(collection.collection_id, groups.get(one) ?? 'ready'),
      act: async () => {
        try {
          await removeDocuments(
            collection.collection_id,
            documents.map(({ document_id: one }) => one),
          );
        } finally {
          await refresh();
        }
      },
    });
  };
  const pages = Math.ceil(total / DOCUMENTS_SIZE);
  return (
    <>
      {collection.may_change ? (
        <BulkBar
          page={items}
          selected={new Set(chosen.map(({ document_id: id }) => id))}
          onSelected={setSelected}
          busy={isPending}
          onReindex={() => reindex(chosen)}
          onRemove={() => removeAll(chosen)}
        />
      ) : null}
      <DocumentTable
        documents={items}
        mayChange={collection.may_change}
        selected={selected}
        onSelect={(id, on) =>
          setSelected((before) => new Set(on ? [...before, id] : [...before].filter((other) => other !== id)))
        }
        onReindex={(document) => reindex([document])}
        onRemove={(document) => removeAll([document])}
        order={order}
        onOrder={onOrder}
      />
      {pages > 1 ? (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" aria-live="polite">
            {t('total_documents', { count: total })} · {parts('page_of', { page, total: pages })}
          </Text>
          <Pager label={t('documents')} page={page} pages={pages} onPage={onPage} />
        </Group>
      ) : null}
    </>
  );
}

const newestFirst = { column: 'uploaded', descending: true } as const;
const orderable = ['name', 'size', 'pages', 'uploaded'];

/** Documents of a collection: how far they are, and adding more. */
export function DocumentsTab({ collection }: TabProps) {
  const { t } = useTranslation('collectionsPage');
  const { collection_id: id, may_change: mayChange } = collection;
  const { group: given, q = '', part: page = 1, sort } = useSearch({ strict: false });
  const navigate = useNavigate();
  const group = given ?? null;
  const order = orderOf(sort, orderable, newestFirst);
  // Which part of the list is shown, in which order: it survives a reload, and can be sent to a colleague.
  const write = (change: Readonly<Record<string, string | number | undefined>>) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, part: undefined, ...change }),
      replace: true,
      resetScroll: false,
    });
  const [typed, setTyped] = useState(q);
  const [name] = useDebouncedValue(typed.trim(), 250);
  const sent = documentOrders.find((known) => known === sort);
  const query = useQuery(documentsQuery(id, { group, name, page, sort: sent }));
  const queries = useQueryClient();
  const { waiting } = useRemovals();
  const ready = query.data?.counts.ready;
  // What the head of the page counts is out of date with every document that gets ready.
  useEffect(() => {
    if (ready !== undefined) void queries.invalidateQueries({ queryKey: ['collection', id], exact: true });
  }, [queries, id, ready]);
  return (
    <Stack gap="lg">
      {mayChange ? <UploadSection collection={collection} /> : null}
      <Loaded query={query}>
        {(list) => {
          const gone = (one: DocumentGroup) =>
            [...waiting.values()].filter((among) => among === countedAmong(id, one)).length;
          // What can still be taken back is counted as if it were gone.
          const counts = Object.fromEntries(
            documentGroups.map((one) => [one, Math.max(0, list.counts[one] - gone(one))]),
          ) as Record<DocumentGroup, number>;
          const away = list.items.filter(({ document_id: one }) => waiting.has(one)).length;
          const shown = group === null && q === '' ? counts.open + counts.ready + counts.failed : list.total - away;
          if (counts.open + counts.ready + counts.failed === 0)
            return (
              <EmptyState
                icon={IconFiles}
                title={t('no_documents')}
                hint={t(mayChange ? 'no_documents_hint' : 'no_documents_read')}
              />
            );
          return (
            <Stack gap="sm">
              <FilterBar
                counts={counts}
                group={group}
                onGroup={(value) => write({ group: value ?? undefined })}
                typed={typed}
                onTyped={(value) => {
                  setTyped(value);
                  write({ q: value.trim() || undefined });
                }}
              />
              {list.items.length === away ? (
                <EmptyState icon={IconSearch} title={t('no_documents_found')} />
              ) : (
                <List
                  collection={collection}
                  list={list}
                  total={shown}
                  page={page}
                  onPage={(wanted) => write({ part: wanted === 1 ? undefined : wanted })}
                  order={order}
                  onOrder={(wanted) => write({ sort: sortText(wanted, newestFirst) })}
                />
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Stack>
  );
}
