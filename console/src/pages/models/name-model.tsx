import type { Weights } from '@ai-studio/contract/console/models.ts';
import { Modal, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { servedQuery, weightsQuery } from './queries.ts';

const MAX_LENGTH = 200;

interface NameModelProps {
  readonly model: Weights | null;
  readonly onClose: () => void;
}

function NameForm({ model, onClose }: { readonly model: Weights; readonly onClose: () => void }) {
  const { t } = useTranslation('modelsPage');
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.run('POST', `/models/${encodeURIComponent(name.trim())}/binding`, { local_id: model.local_id }),
    async onSuccess() {
      onClose();
      await Promise.all([
        queries.invalidateQueries({ queryKey: servedQuery.queryKey }),
        queries.invalidateQueries({ queryKey: weightsQuery.queryKey }),
      ]);
    },
  });
  return (
    <DialogForm
      error={error}
      saveLabel={t('give_name')}
      saving={isPending}
      disabled={name.trim() === ''}
      onSave={() => mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('give_name_hint')}</Text>
      <TextInput
        label={t('id_here')}
        placeholder="text-embedding-3-small"
        maxLength={MAX_LENGTH}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}

/** Gives a local model a further name, by which clients ask for it. */
export function NameModel({ model, onClose }: NameModelProps) {
  const { t } = useTranslation('modelsPage');
  return (
    <Modal opened={model !== null} onClose={onClose} title={t('give_name_title', { name: model?.name ?? '' })}>
      {model === null ? null : <NameForm key={model.id} model={model} onClose={onClose} />}
    </Modal>
  );
}
