import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { ActionIcon, Badge, Button, Group, Menu, SegmentedControl, Text, Title } from '@mantine/core';
import {
  IconArrowLeft,
  IconDots,
  IconDownload,
  IconFileOff,
  IconPencil,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../../i18n/use-lazy-namespace.ts';
import { ApiError } from '../../../api/error.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { LoadingPage } from '../../../parts/loading.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { reindexDocument, removeDocument } from '../documents/bulk-actions.ts';
import { DocumentState } from '../documents/document-state.tsx';
import { collectionQuery, documentQuery, fileAddress } from '../queries.ts';
import { ChunkList } from './chunk-list.tsx';
import classes from './document.module.css';
import { EditDialog } from './edit-dialog.tsx';
import { Original } from './original.tsx';
import { Readers } from './readers.tsx';

interface LoadedDocumentProps {
  readonly document: Document;
  readonly mayChange: boolean;
}

function Actions({ document, mayChange }: LoadedDocumentProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const { done } = useNotify();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asked, ask] = useState<'edit' | 'reindex' | 'remove' | null>(null);
  const { collection_id: collectionId } = document;
  const close = () => ask(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ['collection', collectionId] });
  return (
    <>
      <Button
        component="a"
        href={fileAddress(document)}
        download
        variant="default"
        size="xs"
        visibleFrom="sm"
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t('download')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label={t('actions')}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => ask('edit')}>
            {t('document.edit')}
          </Menu.Item>
          <Menu.Item
            component="a"
            href={fileAddress(document)}
            download
            hiddenFrom="sm"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('download')}
          </Menu.Item>
          {mayChange ? (
            <>
              <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => ask('reindex')}>
                {t('reindex')}
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                color="var(--mantine-color-error)"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => ask('remove')}
              >
                {common('remove')}
              </Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <EditDialog opened={asked === 'edit'} document={document} mayChange={mayChange} onClose={close} />
      <ConfirmDialog
        opened={asked === 'reindex'}
        title={t('document.reindex_title')}
        confirmLabel={t('reindex')}
        danger={false}
        onConfirm={async () => {
          await reindexDocument(document);
          await refresh();
          done(t('reindex_begun', { count: 1 }));
        }}
        onClose={close}
      >
        <Text size="sm">{t('document.reindex_text')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'remove'}
        title={t('document.remove_title')}
        confirmLabel={common('remove')}
        onConfirm={async () => {
          await removeDocument(document);
          done(t('removed'));
          await navigate({ to: '/collections/$collectionId', params: { collectionId }, search: {} });
          await refresh();
        }}
        onClose={close}
      >
        <Text size="sm">{t('remove_documents_text')}</Text>
      </ConfirmDialog>
    </>
  );
}

function Head({ document, mayChange }: LoadedDocumentProps) {
  const { t } = useTranslation('collectionsPage');
  const { bytes, number } = useFormat();
  const { collection_id: collectionId, document_name: name, file_size: size, page_count: pages, state } = document;
  return (
    <Group component="header" justify="space-between" wrap="nowrap" gap="sm" className={classes['head'] ?? ''}>
      <Group gap="xs" wrap="nowrap" className={classes['who'] ?? ''}>
        <ActionIcon
          renderRoot={(props) => (
            <Link to="/collections/$collectionId" params={{ collectionId }} search={{}} {...props} />
          )}
          variant="subtle"
          color="gray"
          aria-label={t('document.back')}
          title={t('document.back')}
        >
          <IconArrowLeft size={18} aria-hidden />
        </ActionIcon>
        <div className={classes['titles']}>
          <Title order={1} size="h5" className={classes['title'] ?? ''} title={name}>
            {name}
          </Title>
          <Group gap="xs" wrap="nowrap">
            <Badge
              variant="light"
              size="sm"
              tt="none"
              color={state === 'ready' ? 'green' : state === 'failed' ? 'red' : 'blue'}
            >
              {t(`states.${state}`)}
            </Badge>
            <Readers document={document} mayChange={mayChange} />
            <Text size="xs" c="dimmed" truncate>
              {bytes(size)}
              {pages === null ? '' : ` · ${t('pages')} ${number(pages)}`}
            </Text>
          </Group>
        </div>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Actions document={document} mayChange={mayChange} />
      </Group>
    </Group>
  );
}

function LoadedDocument({ document, mayChange }: LoadedDocumentProps) {
  const { t } = useTranslation('collectionsPage');
  const navigate = useNavigate();
  const { page, chunk } = useSearch({ strict: false });
  const [side, setSide] = useState<'original' | 'chunks'>('chunks');
  const { collection_id: collectionId, document_id: documentId, state } = document;
  const go = (next: number) => {
    setSide('original');
    void navigate({
      to: '/collections/$collectionId/documents/$documentId',
      params: { collectionId, documentId },
      search: { page: next, chunk },
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <div className={classes['layout']}>
      <Head document={document} mayChange={mayChange} />
      {state === 'ready' ? null : (
        <div className={classes['notice']} role="status">
          <DocumentState document={document} />
        </div>
      )}
      <div className={classes['switch']}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('document.views')}
          value={side}
          onChange={(value) => setSide(value === 'original' ? 'original' : 'chunks')}
          data={[
            { value: 'original', label: t('document.original') },
            { value: 'chunks', label: t('chunks') },
          ]}
        />
      </div>
      <div className={classes['split']} data-side={side}>
        <Original document={document} page={page} onPage={go} />
        <ChunkList document={document} mayChange={mayChange} page={page} targetId={chunk} onPage={go} />
      </div>
    </div>
  );
}

function DocumentPage() {
  const { t } = useTranslation('collectionsPage');
  const { collectionId = '', documentId = '' } = useParams({ strict: false });
  const query = useQuery(documentQuery(collectionId, documentId));
  const { data: collection } = useQuery(collectionQuery(collectionId));
  if (query.error instanceof ApiError && query.error.status === 404)
    return <EmptyState level={1} icon={IconFileOff} title={t('document.missing')} hint={t('document.missing_hint')} />;
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {(document) => (
        <LoadedDocument key={document.document_id} document={document} mayChange={collection?.may_change ?? false} />
      )}
    </Loaded>
  );
}

/** A document of a collection: as it is, and what searches find of it. */
export function Page() {
  return useLazyNamespace('collectionsPage') ? <DocumentPage /> : <LoadingPage />;
}
