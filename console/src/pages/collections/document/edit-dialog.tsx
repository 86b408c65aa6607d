import { Document } from '@ai-studio/contract/retrieval/document.ts';
import { Button, Group, JsonInput, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { documentPath } from '../queries.ts';
import { parseFilter } from '../search/settings.ts';

interface FormProps {
  readonly document: Document;
  readonly mayChange: boolean;
  readonly onClose: () => void;
}

function EditForm({ document, mayChange, onClose }: FormProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done } = useNotify();
  const { collection_id: id, document_id: documentId, external_id: external } = document;
  const [name, setName] = useState(document.document_name);
  const [text, setText] = useState(() => JSON.stringify(document.metadata, null, 2));
  const metadata = text.trim() === '' ? {} : parseFilter(text);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.patch(documentPath(id, documentId), { document_name: name.trim(), metadata }, Document),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['collection', id] });
      done(common('saved'));
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="md">
        <FormAlert error={error} />
        <TextInput
          label={t('document.name')}
          maxLength={255}
          required
          readOnly={!mayChange}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <JsonInput
          label={t('document.metadata')}
          description={t('document.metadata_hint')}
          autosize
          minRows={5}
          maxRows={16}
          readOnly={!mayChange}
          formatOnBlur
          value={text}
          onChange={setText}
          error={metadata === null ? t('document.metadata_wrong') : undefined}
        />
        {external === null ? null : (
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              {t('document.external_id')}
            </Text>
            <Text size="sm">{external}</Text>
          </Group>
        )}
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t('document.id')}
          </Text>
          <Text size="xs" ff="monospace">
            {documentId}
          </Text>
          <CopyButton value={documentId} />
        </Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common(mayChange ? 'cancel' : 'close')}
          </Button>
          {mayChange ? (
            <Button type="submit" loading={isPending} disabled={name.trim() === '' || metadata === null}>
              {common('save')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}

/** Name and metadata of a document. */
export function EditDialog({ opened, ...form }: FormProps & { readonly opened: boolean }) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Modal opened={opened} onClose={form.onClose} title={t('document.edit')} size="lg">
      {opened ? <EditForm {...form} /> : null}
    </Modal>
  );
}
