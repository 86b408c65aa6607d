import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { ActionIcon, Alert, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconBooks, IconInfoCircle, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { mayDo, useMe } from '../../api/session.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage, LoadingRows } from '../../parts/loading.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { EmbeddingName, VisibilityBadge } from './badges.tsx';
import classes from './collections.module.css';
import { ReindexNotice } from './reindex-notice.tsx';
import { collectionQuery } from './queries.ts';

const Documents = lazy(async () => ({ default: (await import('./documents/documents-tab.tsx')).DocumentsTab }));
const Search = lazy(async () => ({ default: (await import('./search/search-tab.tsx')).SearchTab }));
const Evaluation = lazy(async () => ({ default: (await import('./evaluation/evaluation-tab.tsx')).EvaluationTab }));
const Settings = lazy(async () => ({ default: (await import('./settings-tab.tsx')).SettingsTab }));

const tabs = ['documents', 'search', 'evaluation', 'settings'] as const;
type Tab = (typeof tabs)[number];
const panels = { documents: Documents, search: Search, evaluation: Evaluation, settings: Settings } as const;

function Notices({ collection }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collections');
  const { index_state: index, may_change: mayChange, owner } = collection;
  const manages = mayDo(useMe(), ['collections.manage']);
  return (
    <>
      {manages && !mayChange ? (
        <Alert variant="light" color="gray" icon={<IconLock size={18} aria-hidden />}>
          {owner === null ? t('read_only_gone') : t('read_only', { owner: owner.name })}
        </Alert>
      ) : null}
      {index === 'rebuilding' ? (
        <Alert variant="light" color="yellow" role="status" icon={<IconInfoCircle size={18} aria-hidden />}>
          {t('index_rebuilding')}
        </Alert>
      ) : null}
      <ReindexNotice collection={collection} />
    </>
  );
}

function Head({ collection }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collections');
  const { number } = useFormat();
  const { collection_name: name, description, visibility, ingest_config: ingest } = collection;
  return (
    <Group component="header" gap="sm" align="flex-start" wrap="nowrap" mb="lg">
      <ActionIcon
        component={Link}
        to="/collections"
        variant="subtle"
        color="gray"
        mt={4}
        aria-label={t('back')}
        title={t('back')}
      >
        <IconArrowLeft size={18} aria-hidden />
      </ActionIcon>
      <Stack gap={6} className={classes['titles'] ?? ''}>
        <Title order={1} size="h2" className={classes['title'] ?? ''}>
          {name}
        </Title>
        {description === null || description === '' ? null : <Text c="dimmed">{description}</Text>}
        <Group gap="sm">
          <VisibilityBadge visibility={visibility} />
          <Text size="sm" c="dimmed">
            {t('documents')} {number(collection.document_count)} · {t('chunks')} {number(collection.chunk_count)}
          </Text>
          <EmbeddingName model={ingest.embedding_model} />
        </Group>
      </Stack>
    </Group>
  );
}

function Whole({ collection }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collections');
  const manages = mayDo(useMe(), ['collections.manage']);
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false });
  const shown = tabs.filter((one) => manages || one === 'search');
  const current: Tab = shown.find((one) => one === tab) ?? shown[0] ?? 'search';
  const { collection_id: collectionId } = collection;
  return (
    <>
      <Head collection={collection} />
      <Stack gap="md">
        <Notices collection={collection} />
        {shown.length === 1 ? (
          <Suspense fallback={<LoadingRows />}>
            <Search collection={collection} />
          </Suspense>
        ) : (
          <Tabs
            value={current}
            keepMounted={false}
            onChange={(value) =>
              void navigate({
                to: '/collections/$collectionId',
                params: { collectionId },
                search: { tab: value ?? undefined },
                replace: true,
                resetScroll: false,
              })
            }
          >
            <Tabs.List className={classes['tabs'] ?? ''} mb="lg">
              {shown.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {t(`tabs.${one}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {shown.map((one) => {
              const Panel = panels[one];
              return (
                <Tabs.Panel key={one} value={one}>
                  <Suspense fallback={<LoadingRows />}>
                    <Panel collection={collection} />
                  </Suspense>
                </Tabs.Panel>
              );
            })}
          </Tabs>
        )}
      </Stack>
    </>
  );
}

/** A collection: its documents, what searches find in it, its settings. */
export function Page() {
  const { t } = useTranslation('collections');
  const { collectionId = '' } = useParams({ strict: false });
  const query = useQuery(collectionQuery(collectionId));
  if (query.error instanceof ApiError && query.error.status === 404)
    return <EmptyState level={1} icon={IconBooks} title={t('missing')} hint={t('missing_hint')} />;
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {(collection) => <Whole key={collection.collection_id} collection={collection} />}
    </Loaded>
  );
}
