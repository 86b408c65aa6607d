import type { ParserDocument } from '@ai-studio/contract/console/parser.ts';
import { Alert, Stack, Text, Title } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { DocumentList } from './document-list.tsx';
import { DropZone } from './drop-zone.tsx';
import { documentsQuery, isOpen, removeDocument } from './queries.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { useUploads } from './uploads.ts';

/** Documents that are given to be read, and what has become of them. */
export function Page() {
  const { t } = useTranslation('parser');
  const queries = useQueryClient();
  const { failed, done } = useNotify();
  const query = useQuery(documentsQuery);
  const { uploads, add, drop } = useUploads();
  const [asked, setAsked] = useState<ParserDocument | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const navigate = useNavigate();
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => void (mounted.current = false);
  }, []);
  const take = (files: readonly File[]) => {
    setNote(null);
    add(files, query.data?.max_bytes ?? null, ({ id: documentId }) => {
      // Whoever has gone elsewhere meanwhile stays there.
      if (mounted.current) void navigate({ to: '/parser/$documentId', params: { documentId } });
    });
  };
  const remove = async ({ id }: ParserDocument) => {
    await removeDocument(id);
    queries.removeQueries({ queryKey: ['parser', id] });
    await queries.invalidateQueries({ queryKey: documentsQuery.queryKey });
  };
  const { mutate: stop } = useMutation({ mutationFn: remove, onError: failed });
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Stack gap="xl">
        <DropZone maxBytes={query.data?.max_bytes ?? null} onFiles={take} onFolder={() => setNote(t('folder'))} />
        {note === null ? null : (
          <Alert color="yellow" role="alert">
            {note}
          </Alert>
        )}
        <Loaded query={query}>
          {({ items, keep_hours: hours }) => (
            <section>
              <Title order={2} size="h4">
                {t('recent')}
              </Title>
              <Text size="sm" c="dimmed" mb="sm">
                {t('kept', { hours })}
              </Text>
              {uploads.length + items.length === 0 ? (
                <EmptyState icon={IconFileText} level={3} title={t('none')} />
              ) : (
                <DocumentList
                  uploads={uploads}
                  documents={items}
                  onDrop={({ id }) => drop(id)}
                  onRemove={(document) => (isOpen(document) ? stop(document) : setAsked(document))}
                />
              )}
            </section>
          )}
        </Loaded>
      </Stack>
      <RemoveDialog
        document={asked}
        onRemove={async (document) => {
          await remove(document);
          done(t('removed'));
        }}
        onClose={() => setAsked(null)}
      />
    </>
  );
}
