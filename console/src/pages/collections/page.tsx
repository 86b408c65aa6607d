import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconBooks, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, lazy, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingPage } from '../../parts/loading.tsx';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { Pager } from '../../parts/table/pager.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { EmbeddingName, VisibilityBadge } from './badges.tsx';
import classes from './collections.module.css';
import { collectionsQuery, PAGE_SIZE } from './queries.ts';

const NewCollection = lazy(async () => ({ default: (await import('./new-collection.tsx')).NewCollection }));

function useColumns(): Column<ConsoleCollection>[] {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return [
    {
      key: 'name',
      header: t('name'),
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
      cell: ({ updated_at: at }) => <RelativeTime at={at} size="sm" className={classes['whole'] ?? ''} />,
    },
  ];
}

function CollectionList() {
  const { t } = useTranslation('collectionsPage');
  const { t: words } = useTranslation('collections');
  const manages = hasPermission(useMe(), ['collections.manage']);
  const navigate = useNavigate();
  const columns = useColumns();
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 250);
  const [page, setPage] = useState(1);
  const [wanted, setWanted] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWanted(true) });
  const query = useQuery(collectionsQuery(name, page));
  const add = manages ? (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
      {t('new')}
    </Button>
  ) : undefined;
  return (
    <>
      <PageHeader title={words('title')} description={t(manages ? 'description' : 'description_user')} actions={add} />
      <Loaded query={query}>
        {({ items, total }) =>
          total === 0 && name === '' ? (
            <EmptyState
              icon={IconBooks}
              title={t(manages ? 'none' : 'none_shared')}
              hint={t(manages ? 'none_hint' : 'none_shared_hint')}
            />
          ) : (
            <Stack gap="md">
              <TextInput
                aria-label={t('find')}
                placeholder={t('find')}
                leftSection={<IconSearch size={16} aria-hidden />}
                maw="24rem"
                maxLength={200}
                value={typed}
                onChange={({ currentTarget }) => {
                  setTyped(currentTarget.value);
                  setPage(1);
                }}
              />
              <DataTable
                label={words('title')}
                columns={columns}
                rows={items}
                rowKey={({ collection_id: id }) => id}
                minWidth={300}
                empty={<EmptyState icon={IconSearch} title={t('none_found')} />}
                onOpen={({ collection_id: collectionId }) =>
                  void navigate({ to: '/collections/$collectionId', params: { collectionId }, search: {} })
                }
              />
              <Pager label={words('title')} page={page} pages={Math.ceil(total / PAGE_SIZE)} onPage={setPage} />
            </Stack>
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
