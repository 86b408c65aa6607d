import { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Alert, Button, FileInput, Group, Modal, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { type AgentFile, readAgentFile } from './read-file.ts';

function ImportForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('agents');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { done } = useNotify();
  const [file, setFile] = useState<File | null>(null);
  const [read, setRead] = useState<AgentFile | null>(null);
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState(false);
  const choose = async (chosen: File | null) => {
    reset();
    setFile(chosen);
    const found = chosen === null ? null : readAgentFile(await chosen.text(), chosen.name);
    setRead(found);
    setWrong(chosen !== null && found === null);
    if (found !== null) setName(found.name.slice(0, 100));
  };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (leaveOut: boolean) =>
      api.post(
        '/agents',
        {
          name: name.trim(),
          description: read?.description.slice(0, 1_000) ?? '',
          definition: read?.definition,
          leave_out: leaveOut,
        },
        AgentDetails,
      ),
    async onSuccess({ id: agentId }) {
      void queries.invalidateQueries({ queryKey: ['agents'] });
      done(t('imported'));
      await navigate({ to: '/agents/$agentId', params: { agentId }, search: {} });
    },
  });
  return (
    <DialogForm
      error={error}
      saveLabel={t('import')}
      saving={isPending}
      disabled={read === null || name.trim() === ''}
      onSave={() => mutate(false)}
      onClose={onClose}
    >
      {error instanceof ApiError && error.reason === 'agent_unknown_fields' ? (
        <Group justify="space-between">
          <Text size="sm" flex={1}>
            {t('unknown_fields_hint')}
          </Text>
          <Button variant="light" loading={isPending} onClick={() => mutate(true)}>
            {t('import_without')}
          </Button>
        </Group>
      ) : null}
      <FileInput
        label={t('file')}
        description={t('file_hint')}
        placeholder={t('file_choose')}
        accept="application/json,.json"
        required
        value={file}
        onChange={(chosen) => void choose(chosen)}
      />
      {wrong ? (
        <Alert color="red" role="alert">
          {t('file_wrong')}
        </Alert>
      ) : null}
      <TextInput
        label={t('name')}
        maxLength={100}
        required
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </DialogForm>
  );
}

interface ImportAgentProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes an agent of a file that was exported. */
export function ImportAgentDialog({ opened, onClose }: ImportAgentProps) {
  const { t } = useTranslation('agents');
  return (
    <Modal opened={opened} onClose={onClose} title={t('import')}>
      {opened ? <ImportForm onClose={onClose} /> : null}
    </Modal>
  );
}
