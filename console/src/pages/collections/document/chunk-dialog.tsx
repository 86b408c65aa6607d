import { Chunk } from '@ai-studio/contract/retrieval/chunk.ts';
import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { Modal, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { DialogForm } from '../../../parts/dialog-form.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { documentPath } from '../queries.ts';

interface FormProps {
  readonly document: Document;
  /** Null for a new one. */
  readonly chunk: Chunk | null;
  /** Page that a new one stands on. */
  readonly page: number | null;
  readonly onClose: () => void;
}

/** Source: decisions section 5. */
const MAX_TITLE_LENGTH = 1_000;
const MAX_CONTENT_LENGTH = 50_000;

function ChunkForm({ document, chunk, page, onClose }: FormProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done } = useNotify();
  const [title, setTitle] = useState(chunk?.title ?? '');
  const [content, setContent] = useState(chunk?.content ?? '');
  const { collection_id: id, document_id: documentId } = document;
  const path = `${documentPath(id, documentId)}/chunks`;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      chunk === null
        ? api.post(path, { title, content, ...(page === null ? {} : { metadata: { start_page: page } }) }, Chunk)
        : api.patch(`${path}/${chunk.chunk_id}`, { title, content }, Chunk),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['collection', id, 'document', documentId] });
      done(t('document.saved'));
      onClose();
    },
  });
  const changed = chunk === null || title !== chunk.title || content !== chunk.content;
  return (
    <DialogForm
      error={error}
      saveLabel={common('save')}
      saving={isPending}
      disabled={content.trim() === '' || !changed}
      onSave={() => mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t('document.chunk_title')}
        maxLength={MAX_TITLE_LENGTH}
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <Textarea
        label={t('document.chunk_content')}
        autosize
        minRows={8}
        maxRows={22}
        maxLength={MAX_CONTENT_LENGTH}
        data-autofocus
        lang=""
        value={content}
        onChange={({ currentTarget }) => setContent(currentTarget.value)}
      />
      <Text size="xs" c="dimmed">
        {t('document.save_hint')} {t('document.edited_lost')}
      </Text>
    </DialogForm>
  );
}

interface ChunkDialogProps extends Omit<FormProps, 'chunk'> {
  /** Undefined closes the dialog. */
  readonly chunk: Chunk | null | undefined;
}

/** Writes a chunk. */
export function ChunkDialog({ chunk, ...form }: ChunkDialogProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  return (
    <Modal
      opened={chunk !== undefined}
      onClose={form.onClose}
      size="xl"
      closeOnClickOutside={false}
      title={
        chunk === null || chunk === undefined
          ? t('document.add_chunk')
          : t('document.edit_chunk', { number: number(chunk.order) })
      }
    >
      {chunk === undefined ? null : <ChunkForm chunk={chunk} {...form} />}
    </Modal>
  );
}
