import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconBooks, IconInfoCircle, IconLock, IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { ApiError } from '../../api/error.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { pagePermissions } from '../../app/page-permissions.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage, LoadingRows } from '../../parts/loading.tsx';
import { TabPanels } from '../../parts/tab-panels.tsx';
import { DetailHeader } from '../../parts/detail-header.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { EmbeddingName, VisibilityBadge } from './badges.tsx';
import { ReindexNotice } from './reindex-notice.tsx';
import { collectionQuery } from './queries.ts';

const Documents = lazy(async () => ({ default: (await import('./documents/documents-tab.tsx')).DocumentsTab }));
const Connections = lazy(async () => ({
  default: (await import('./connections/connections-tab.tsx')).ConnectionsTab,
}));
const Search = lazy(async () => ({ default: (await import('./search/search-tab.tsx')).SearchTab }));
const Evaluation = lazy(async () => ({ default: (await import('./evaluation/evaluation-tab.tsx')).EvaluationTab }));
const Extraction = lazy(async () => ({ default: (await import('./extraction/extraction-tab.tsx')).ExtractionTab }));
const Settings = lazy(async () => ({ default: (await import('./settings-tab.tsx')).SettingsTab }));

const tabs = ['documents', 'connections', 'search', 'evaluation', 'extraction', 'settings'] as const;
const panels = {
  documents: Documents,
  connections: Connections,
  search: Search,
  evaluation: Evaluation,
  extraction: Extraction,
  settings: Settings,
} as const;

function Notices({ collection }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collectionsPage');
  const { index_state: index, may_change: mayChange, owner } = collection;
  const manages = hasPermission(useMe(), ['collections.manage']);
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

/** From documents to a first question in one step. */
function AskButton({
  collection: { collection_id: id, collection_name: name },
}: {
  readonly collection: ConsoleCollection;
}) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Button
      leftSection={<IconMessages size={16} aria-hidden />}
      variant="light"
      renderRoot={(props) => <Link to="/chat" state={{ collection: { id, name } }} {...props} />}
    >
      {t('ask')}
    </Button>
  );
}

function Head({ collection }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const { collection_name: name, description, visibility, ingest_config: ingest } = collection;
  const chats = hasPermission(useMe(), pagePermissions.chat);
  const isAsked = chats && collection.document_count > 0;
  return (
    <DetailHeader
      back="/collections"
      backLabel={t('back')}
      title={name}
      actions={isAsked ? <AskButton collection={collection} /> : null}
    >
      {description === null || description === '' ? null : <Text c="dimmed">{description}</Text>}
      <Group gap="sm">
        <VisibilityBadge visibility={visibility} />
        <Text size="sm" c="dimmed">
          {t('documents')} {number(collection.document_count)} · {t('chunks')} {number(collection.chunk_count)}
        </Text>
        <EmbeddingName model={ingest.embedding_model} />
      </Group>
    </DetailHeader>
  );
}

function LoadedCollection({ collection }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collectionsPage');
  const manages = hasPermission(useMe(), ['collections.manage']);
  const { may_change: mayChange } = collection;
  const shown = tabs.filter((one) => one === 'search' || (manages && (one !== 'connections' || mayChange)));
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
          <TabPanels tabs={shown} labelOf={(tab) => t(`tabs.${tab}`)} panels={panels} panelProps={{ collection }} />
        )}
      </Stack>
    </>
  );
}

function CollectionPage() {
  const { t } = useTranslation('collectionsPage');
  const { collectionId = '' } = useParams({ strict: false });
  const query = useQuery(collectionQuery(collectionId));
  if (query.error instanceof ApiError && query.error.status === 404)
    return <EmptyState level={1} icon={IconBooks} title={t('missing')} hint={t('missing_hint')} />;
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {(collection) => <LoadedCollection key={collection.collection_id} collection={collection} />}
    </Loaded>
  );
}

/** A collection: its documents, what searches find in it, its settings. */
export function Page() {
  return useLazyNamespace('collectionsPage') ? <CollectionPage /> : <LoadingPage />;
}
