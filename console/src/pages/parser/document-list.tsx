import type { ParserDocument } from '@ai-studio/contract/console/parser.ts';
import { ActionIcon, Badge, Group, Progress, Stack, Text } from '@mantine/core';
import { IconTrash, IconX } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useErrorMessage } from '../../parts/use-error-message.ts';
import { useFormat } from '../../parts/use-format.ts';
import { formatName } from './formats.ts';
import classes from './parser.module.css';
import { isOpen } from './queries.ts';
import type { Upload } from './uploads.ts';

/** A row: a file on its way, or a document. */
type Row = { readonly upload: Upload } | { readonly document: ParserDocument };

const colors = { uploading: 'blue', waiting: 'gray', reading: 'blue', done: 'green', failed: 'red' } as const;

interface StateProps {
  readonly state: keyof typeof colors;
  /** 0 to 1; null where it is not known. */
  readonly progress: number | null;
  readonly hint: string | null;
}

function State({ state, progress, hint }: StateProps) {
  const { t } = useTranslation('parser');
  const moves = state === 'uploading' || state === 'reading';
  return (
    <Stack gap={4} miw={110}>
      <Badge variant="light" color={colors[state]} tt="none" className={classes['badge'] ?? ''}>
        {t(`states.${state}`)}
      </Badge>
      {moves ? (
        <Progress
          size="xs"
          value={progress === null ? 100 : progress * 100}
          animated={progress === null}
          aria-label={t(`states.${state}`)}
        />
      ) : null}
      {hint === null ? null : (
        <Text size="xs" c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}>
          {hint}
        </Text>
      )}
    </Stack>
  );
}

function UploadState({ upload: { sent, size, error } }: { readonly upload: Upload }) {
  const words = useErrorMessage();
  const { bytes } = useFormat();
  if (error !== null) return <State state="failed" progress={null} hint={words(error)} />;
  return (
    <State
      state="uploading"
      progress={size === 0 ? 1 : Math.min(1, sent / size)}
      hint={`${bytes(sent)} / ${bytes(size)}`}
    />
  );
}

/** How far a document is, in words. */
export function useProgressLabel(): (document: ParserDocument) => string | null {
  const { t } = useTranslation('parser');
  const { number } = useFormat();
  return ({ state, pages_done: done, pages_total: total }) => {
    if (state !== 'reading' || (done === 0 && total === null)) return null;
    return total === null
      ? t('read_so_far', { done: number(done) })
      : t('read_pages', { done: number(done), total: number(total) });
  };
}

function DocumentState({ document }: { readonly document: ParserDocument }) {
  const { t } = useTranslation('parser');
  const progress = useProgressLabel();
  const { state, pages_done: done, pages_total: total, failure } = document;
  return (
    <State
      state={state}
      progress={total === null || total === 0 ? null : done / total}
      hint={failure === null ? progress(document) : t(`failures.${failure}.title`)}
    />
  );
}

interface DocumentListProps {
  readonly uploads: readonly Upload[];
  readonly documents: readonly ParserDocument[];
  readonly onDrop: (upload: Upload) => void;
  readonly onRemove: (document: ParserDocument) => void;
}

function useColumns({ onDrop, onRemove }: Pick<DocumentListProps, 'onDrop' | 'onRemove'>): Column<Row>[] {
  const { t } = useTranslation('parser');
  const { bytes, number } = useFormat();
  const nameOf = (row: Row) => ('upload' in row ? row.upload.name : (row.document.name ?? t('unnamed')));
  const formatOf = (row: Row) => formatName('document' in row ? row.document.format : null, nameOf(row));
  const pagesOf = (row: Row) => ('document' in row && row.document.state === 'done' ? row.document.pages_done : null);
  return [
    {
      key: 'name',
      header: t('name'),
      sort: nameOf,
      cell: (row) =>
        'upload' in row ? (
          <Text className={classes['name'] ?? ''}>{nameOf(row)}</Text>
        ) : (
          <Link
            to="/parser/$documentId"
            params={{ documentId: row.document.id }}
            search={{}}
            className={`${classes['name'] ?? ''} ${classes['link'] ?? ''}`}
          >
            {nameOf(row)}
          </Link>
        ),
    },
    {
      key: 'format',
      header: t('format'),
      from: 'sm',
      sort: formatOf,
      cell: (row) => <Text size="sm">{formatOf(row)}</Text>,
    },
    {
      key: 'size',
      header: t('size'),
      align: 'end',
      from: 'sm',
      sort: (row) => ('upload' in row ? row.upload.size : row.document.size),
      cell: (row) => bytes('upload' in row ? row.upload.size : row.document.size),
    },
    {
      key: 'pages',
      header: t('pages'),
      align: 'end',
      from: 'sm',
      sort: pagesOf,
      cell: (row) => {
        const pages = pagesOf(row);
        return pages === null ? '–' : number(pages);
      },
    },
    {
      key: 'state',
      header: t('state'),
      cell: (row) =>
        'upload' in row ? <UploadState upload={row.upload} /> : <DocumentState document={row.document} />,
    },
    {
      key: 'when',
      header: t('when'),
      from: 'md',
      sort: (row) => ('upload' in row ? Infinity : Date.parse(row.document.created_at)),
      cell: (row) => ('upload' in row ? '–' : <RelativeTime at={row.document.created_at} size="sm" />),
    },
    {
      key: 'expires',
      header: t('expires'),
      from: 'lg',
      sort: (row) =>
        'upload' in row || row.document.expires_at === null ? Infinity : Date.parse(row.document.expires_at),
      cell: (row) =>
        'upload' in row || row.document.expires_at === null ? (
          '–'
        ) : (
          <RelativeTime at={row.document.expires_at} size="sm" />
        ),
    },
    {
      key: 'actions',
      header: t('actions'),
      hiddenHeader: true,
      width: 56,
      cell: (row) => {
        const name = nameOf(row);
        const [label, stops] =
          'upload' in row
            ? [t(row.upload.error === null ? 'cancel_upload' : 'dismiss', { name }), true]
            : isOpen(row.document)
              ? [t('cancel', { name }), true]
              : [t('remove', { name }), false];
        const Picture = stops ? IconX : IconTrash;
        return (
          <Group justify="flex-end" wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={label}
              onClick={() => ('upload' in row ? onDrop(row.upload) : onRemove(row.document))}
            >
              <Picture size={16} aria-hidden />
            </ActionIcon>
          </Group>
        );
      },
    },
  ];
}

/** Files on their way and documents, newest first. */
export function DocumentList({ uploads, documents, onDrop, onRemove }: DocumentListProps) {
  const { t } = useTranslation('parser');
  const navigate = useNavigate();
  const columns = useColumns({ onDrop, onRemove });
  const rows: Row[] = [...uploads.map((upload) => ({ upload })), ...documents.map((document) => ({ document }))];
  return (
    <DataTable
      label={t('recent')}
      columns={columns}
      rows={rows}
      rowKey={(row) => ('upload' in row ? `upload-${row.upload.id}` : row.document.id)}
      pageSize={20}
      minWidth={280}
      onOpen={(row) => {
        if ('document' in row)
          void navigate({ to: '/parser/$documentId', params: { documentId: row.document.id }, search: {} });
      }}
    />
  );
}
