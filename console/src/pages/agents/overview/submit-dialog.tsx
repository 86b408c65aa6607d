import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Modal, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { DialogForm } from '../../../parts/dialog-form.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { agentPath } from '../queries.ts';
import { useAgentChanged } from '../use-agent-changed.ts';

interface SubmitDialogProps {
  readonly agent: AgentDetails;
  readonly onClose: () => void;
}

/** Asks for approval of the draft as it is. */
export function SubmitDialog({ agent, onClose }: SubmitDialogProps) {
  const { t } = useTranslation('agents');
  const changed = useAgentChanged(agent.id);
  const { done } = useNotify();
  const [note, setNote] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.run('POST', `${agentPath(agent.id)}/submit`, { note: note.trim(), revision: agent.revision }),
    async onSuccess() {
      await changed();
      done(t('acts.submitted'));
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('acts.submit')} centered>
      <DialogForm
        error={error}
        saveLabel={t('acts.submit')}
        saving={isPending}
        onSave={() => mutate()}
        onClose={onClose}
      >
        <Text size="sm">{t('acts.submit_hint')}</Text>
        <Textarea
          label={t('acts.submit_note')}
          description={t('acts.submit_note_hint')}
          autosize
          minRows={3}
          maxRows={8}
          maxLength={1_000}
          data-autofocus
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}
