import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { Box, Checkbox, Menu, Text } from '@mantine/core';
import { IconDownload, IconEye, IconRefresh, IconTrash, IconX } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { RowMenu } from '../../../parts/row-menu.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import type { Order } from '../../../parts/table/order.ts';
import { useFormat } from '../../../parts/use-format.ts';
import classes from '../collections.module.css';
import { fileAddress, isOpen } from '../queries.ts';
import { DocumentState } from './document-state.tsx';

interface DocumentTableProps {
  readonly documents: readonly Document[];
  readonly mayChange: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (id: string, selected: boolean) => void;
  readonly onReindex: (document: Document) => void;
  readonly onRemove: (document: Document) => void;
  readonly order: Order | null;
  readonly onOrder: (order: Order | null) => void;
}

const paramsOf = ({ collection_id: collectionId, document_id: documentId }: Document) => ({ collectionId, documentId });
const folderOf = ({ metadata: { folder } }: Document) => (typeof folder === 'string' ? folder : null);

function Actions({
  document,
  mayChange,
  onReindex,
  onRemove,
}: { readonly document: Document } & Pick<DocumentTableProps, 'mayChange' | 'onReindex' | 'onRemove'>) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const navigate = useNavigate();
  const open = isOpen(document);
  return (
    <RowMenu label={t('actions_of', { name: document.document_name })}>
      <Menu.Item
        onClick={() =>
          void navigate({
            to: '/collections/$collectionId/documents/$documentId',
            params: paramsOf(document),
            search: {},
          })
        }
        leftSection={<IconEye size={16} aria-hidden />}
      >
        {t('open_document')}
      </Menu.Item>
      <Menu.Item
        component="a"
        href={fileAddress(document)}
        download
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t('download')}
      </Menu.Item>
      {mayChange ? (
        <>
          {open ? null : (
            <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => onReindex(document)}>
              {t('reindex')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={open ? <IconX size={16} aria-hidden /> : <IconTrash size={16} aria-hidden />}
            onClick={() => onRemove(document)}
          >
            {open ? t('cancel_document') : common('remove')}
          </Menu.Item>
        </>
      ) : null}
    </RowMenu>
  );
}

function useColumns(props: DocumentTableProps): Column<Document>[] {
  const { t } = useTranslation('collectionsPage');
  const { bytes, number } = useFormat();
  const { mayChange, selected, onSelect } = props;
  const selection: Column<Document> = {
    key: 'select',
    header: t('selected', { count: selected.size }),
    hiddenHeader: true,
    width: 44,
    cell: ({ document_id: id, document_name: name }) => (
      <Checkbox
        aria-label={t('select', { name })}
        checked={selected.has(id)}
        onChange={({ currentTarget }) => onSelect(id, currentTarget.checked)}
      />
    ),
  };
  return [
    ...(mayChange ? [selection] : []),
    {
      key: 'name',
      header: t('name'),
      sort: ({ document_name: name }) => name,
      cell: (document) => (
        <div className={classes['named']}>
          <Link
            to="/collections/$collectionId/documents/$documentId"
            params={paramsOf(document)}
            search={{}}
            className={classes['link']}
          >
            {document.document_name}
          </Link>
          {folderOf(document) === null ? null : (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {folderOf(document)}
            </Text>
          )}
          <Box hiddenFrom="xs" mt={6}>
            <DocumentState document={document} />
          </Box>
        </div>
      ),
    },
    { key: 'state', header: t('state'), from: 'xs', cell: (document) => <DocumentState document={document} /> },
    {
      key: 'size',
      header: t('size'),
      align: 'end',
      from: 'md',
      sort: ({ file_size: size }) => size,
      cell: ({ file_size: size }) => bytes(size),
    },
    {
      key: 'pages',
      header: t('pages'),
      align: 'end',
      from: 'md',
      sort: ({ page_count: pages }) => pages,
      cell: ({ page_count: pages }) => (pages === null ? '–' : number(pages)),
    },
    {
      key: 'chunks',
      header: t('chunks'),
      align: 'end',
      from: 'sm',
      cell: ({ chunk_count: chunks, searchable }) => (searchable ? number(chunks) : '–'),
    },
    {
      key: 'uploaded',
      header: t('uploaded'),
      from: 'sm',
      sort: ({ uploaded_at: at }) => at,
      cell: ({ uploaded_at: at }) => <RelativeTime at={at} size="sm" className={classes['whole'] ?? ''} />,
    },
    {
      key: 'actions',
      header: t('actions'),
      hiddenHeader: true,
      width: 56,
      cell: (document) => <Actions document={document} {...props} />,
    },
  ];
}

/** Documents of a page of the list. */
export function DocumentTable(props: DocumentTableProps) {
  const { t } = useTranslation('collectionsPage');
  const navigate = useNavigate();
  return (
    <DataTable
      label={t('documents')}
      columns={useColumns(props)}
      rows={props.documents}
      rowKey={({ document_id: id }) => id}
      minWidth={300}
      ordered={{ order: props.order, onOrder: props.onOrder }}
      onOpen={(document) =>
        void navigate({
          to: '/collections/$collectionId/documents/$documentId',
          params: paramsOf(document),
          search: {},
        })
      }
    />
  );
}
