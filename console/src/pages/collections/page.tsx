import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { collectionOrders } from '@ai-studio/contract/console/retrieval.ts';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBooks, IconPlus, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingPage, LoadingTable } from '../../parts/loading.tsx';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { remoteRows } from '../../parts/table/remote-rows.ts';
import { RichTable } from '../../parts/table/rich-table.tsx';
import type { Column } from '../../parts/table/table-row.tsx';
import { useTableQuery } from '../../parts/table/use-table-address.ts';
import { useFormat } from '../../parts/use-format.ts';
import { EmbeddingName, VisibilityBadge } from './badges.tsx';
import { BulkActions } from './bulk-actions.tsx';
import classes from './collections.module.css';
import { collectionsQuery } from './queries.ts';

const NewCollection = lazy(async () => ({ default: (await import('./new-collection.tsx')).NewCollection }));

function useColumns(): Column<ConsoleCollection>[] {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return [
    {
      key: 'name',
      header: t('name'),
      sort: ({ collection_name: name }) => name,
      cell: ({ collection_id: collectionId, collection_name: name, description }) => (
        <>
          <Link to="/collections/$collectionId" params={{ collectionId }} search={{}} className={classes['link']}>
            {name}
          </Link>
          {description === null || description === '' ? null : (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {description}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'visibility',
      header: t('visibility'),
      from: 'xs',
      cell: ({ visibility }) => <VisibilityBadge visibility={visibility} />,
    },
    {
      key: 'documents',
      header: t('documents'),
      align: 'end',
      sort: ({ document_count: count }) => count,
      cell: ({ document_count: count }) => number(count),
    },
    {
      key: 'chunks',
      header: t('chunks'),
      align: 'end',
      from: 'sm',
      cell: ({ chunk_count: count }) => number(count),
    },
    {
      key: 'embedding',
      header: t('embedding'),
      from: 'md',
      cell: ({ ingest_config: { embedding_model: model } }) => <EmbeddingName model={model} />,
    },
    {
      key: 'owner',
      header: t('owner'),
      from: 'lg',
      cell: ({ owner }) => (
        <Text size="sm">
          {owner === null ? t('owner_gone') : owner.kind === 'key' ? t('owner_key', { name: owner.name }) : owner.name}
        </Text>
      ),
    },
    {
      key: 'updated',
      header: t('updated'),
      from: 'md',
      sort: ({ updated_at: at }) => at,
      cell: ({ updated_at: at }) => <RelativeTime at={at} size="sm" className={classes['whole'] ?? ''} />,
    },
  ];
}

const idOf = ({ collection_id: id }: ConsoleCollection) => id;
const nameOf = ({ collection_name: name }: ConsoleCollection) => name;

function CollectionList() {
  const { t } = useTranslation('collectionsPage');
  const { t: words } = useTranslation('collections');
  const manages = hasPermission(useMe(), ['collections.manage']);
  const navigate = useNavigate();
  const columns = useColumns();
  const [wanted, setWanted] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWanted(true) });
  const { q, sort } = useTableQuery(collectionOrders);
  const query = useInfiniteQuery(collectionsQuery(q, sort));
  const add = manages ? (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
      {t('new')}
    </Button>
  ) : undefined;
  return (
    <>
      <PageHeader title={words('title')} description={t(manages ? 'description' : 'description_user')} actions={add} />
      <Loaded query={query} loading={<LoadingTable />}>
        {({ pages }) =>
          pages[0]?.total === 0 && q === '' ? (
            <EmptyState
              icon={IconBooks}
              title={t(manages ? 'none' : 'none_shared')}
              hint={t(manages ? 'none_hint' : 'none_shared_hint')}
            />
          ) : (
            <RichTable
              name="collections"
              label={words('title')}
              columns={columns}
              rows={pages.flatMap(({ items }) => items)}
              rowKey={idOf}
              textOf={nameOf}
              minWidth={300}
              remote={remoteRows(query, pages[0]?.total ?? 0)}
              none={<EmptyState icon={IconSearch} title={t('none_found')} />}
              onOpen={({ collection_id: collectionId }) =>
                void navigate({ to: '/collections/$collectionId', params: { collectionId }, search: {} })
              }
              {...(manages
                ? {
                    selection: {
                      nameOf,
                      canSelect: ({ may_change: mayChange }: ConsoleCollection) => mayChange,
                      renderActions: (chosen: readonly ConsoleCollection[], clear: () => void) => (
                        <BulkActions chosen={chosen} onDone={clear} />
                      ),
                    },
                  }
                : {})}
            />
          )
        }
      </Loaded>
      <Suspense>{wanted ? <NewCollection opened={opened} onClose={close} /> : null}</Suspense>
    </>
  );
}

/** Collections of documents that the person may search. */
export function Page() {
  return useLazyNamespace('collectionsPage') ? <CollectionList /> : <LoadingPage />;
}
