import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { FormAlert } from '../../../parts/form-alert.tsx';
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
  const { t: common } = useTranslation('common');
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Stack gap="md">
          <FormAlert error={error} />
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('acts.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
