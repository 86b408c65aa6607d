import type { ParserDocument, ParserOutline } from '@ai-studio/contract/console/parser.ts';
import { ActionIcon, Badge, Group, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { DocumentActions } from './document-actions.tsx';
import { formatName } from './formats.ts';
import { Failed, Missing, Reading } from './outcome.tsx';
import { documentQuery, isOpen, outlineQuery } from './queries.ts';
import { Viewer } from './viewer.tsx';
import { Warnings } from './warnings.tsx';
import classes from './viewer.module.css';

function Facts({
  document,
  outline,
}: {
  readonly document: ParserDocument;
  readonly outline: ParserOutline | undefined;
}) {
  const { t } = useTranslation('parser');
  const { bytes, number } = useFormat();
  const { format, name, size, pages_done: pages, expires_at: expires } = document;
  return (
    <Group gap="xs" wrap="nowrap" className={classes['facts'] ?? ''}>
      <Badge variant="light" color="gray" tt="none" size="sm">
        {formatName(format, name)}
      </Badge>
      <Text size="xs" c="dimmed" visibleFrom="xs">
        {bytes(size)}
      </Text>
      {outline === undefined ? null : (
        <Text size="xs" c="dimmed">
          {t('pages', { count: pages, shown: number(pages) })}
        </Text>
      )}
      {expires === null ? null : (
        <Text size="xs" c="dimmed" visibleFrom="md">
          {t('expires')} <RelativeTime at={expires} />
        </Text>
      )}
    </Group>
  );
}

function LoadedDocument({ document }: { readonly document: ParserDocument }) {
  const { t } = useTranslation('parser');
  const query = useQuery({ ...outlineQuery(document.id), enabled: document.state === 'done' });
  return (
    <div className={classes['layout']}>
      <Group component="header" justify="space-between" wrap="nowrap" gap="sm" className={classes['head'] ?? ''}>
        <Group gap="xs" wrap="nowrap" className={classes['who'] ?? ''}>
          <ActionIcon
            component={Link}
            to="/parser"
            variant="subtle"
            color="gray"
            aria-label={t('back')}
            title={t('back')}
          >
            <IconArrowLeft size={18} aria-hidden />
          </ActionIcon>
          <div className={classes['titles']}>
            <Title order={1} size="h5" className={classes['title'] ?? ''} title={document.name ?? ''}>
              {document.name ?? t('unnamed')}
            </Title>
            <Facts document={document} outline={query.data} />
          </div>
        </Group>
        <Group gap="xs" wrap="nowrap">
          {query.data === undefined ? null : <Warnings outline={query.data} />}
          <DocumentActions document={document} />
        </Group>
      </Group>
      {isOpen(document) ? (
        <Reading document={document} />
      ) : document.failure === null ? (
        <Loaded query={query} loading={<LoadingPage />}>
          {(outline) => <Viewer document={document} outline={outline} />}
        </Loaded>
      ) : (
        <Failed failure={document.failure} />
      )}
    </div>
  );
}

/** A document that was given to be read. */
export function Page() {
  const { documentId = '' } = useParams({ strict: false });
  const query = useQuery(documentQuery(documentId));
  if (query.error instanceof ApiError && query.error.status === 404) return <Missing />;
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {(document) => <LoadedDocument key={document.id} document={document} />}
    </Loaded>
  );
}
