import type { ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { collectionOptionsQuery } from '../../../api/collection-options.ts';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { DropZone } from './drop-zone.tsx';
import { type DroppedFile, MAX_FILES } from './dropped.ts';
import { type KnownFile, filesAfter, findKnown } from './known.ts';
import { KnownDialog } from './known-dialog.tsx';
import { UploadPanel } from './upload-panel.tsx';
import { useUploads } from './uploads.ts';

/** Where files are dropped and chosen, and how far they are. */
export function UploadSection({ collection: { collection_id: id } }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const uploads = useUploads(id);
  const { data } = useQuery(collectionOptionsQuery);
  const { failed } = useNotify();
  const [note, setNote] = useState<string | null>(null);
  const [asked, setAsked] = useState<{
    readonly files: readonly DroppedFile[];
    readonly known: readonly KnownFile[];
  } | null>(null);
  const take = (files: readonly DroppedFile[]) => {
    const many = files.length > MAX_FILES;
    setNote(files.length === 0 ? t('drop.empty') : many ? t('drop.many', { shown: number(MAX_FILES) }) : null);
    if (files.length > 0) void check(files.slice(0, MAX_FILES));
  };
  const send = (files: readonly DroppedFile[]) => {
    if (files.length > 0) uploads.add(files, data?.max_bytes ?? Infinity);
  };
  const check = async (files: readonly DroppedFile[]) => {
    try {
      const known = await findKnown(id, files);
      if (known.length === 0) send(files);
      else setAsked({ files, known });
    } catch (error) {
      failed(error);
    }
  };
  return (
    <>
      {data === undefined ? null : <DropZone maxBytes={data.max_bytes} onFiles={take} />}
      {note === null ? null : (
        <Alert color="yellow" variant="light" role="alert" withCloseButton onClose={() => setNote(null)}>
          {note}
        </Alert>
      )}
      <UploadPanel uploads={uploads} />
      <KnownDialog
        known={asked?.known ?? null}
        onChoose={(choice) => {
          if (asked !== null) send(filesAfter(asked.files, asked.known, choice));
          setAsked(null);
        }}
        onClose={() => setAsked(null)}
      />
    </>
  );
}
