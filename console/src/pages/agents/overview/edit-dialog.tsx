import { type AgentDetails, AgentHead } from '@ai-studio/contract/console/agents.ts';
import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { agentPath } from '../queries.ts';
import { useAgentChanged } from '../use-agent-changed.ts';

interface EditDialogProps {
  readonly agent: AgentDetails;
  readonly onClose: () => void;
}

/** Name and description of an agent. Its ID stays. */
export function EditDialog({ agent, onClose }: EditDialogProps) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation('common');
  const changed = useAgentChanged(agent.id);
  const { done } = useNotify();
  const [name, setName] = useState(agent.name);
  const [description, setDescription] = useState(agent.description);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.patch(agentPath(agent.id), { name: name.trim(), description: description.trim() }, AgentHead.partial()),
    async onSuccess() {
      await changed();
      done(common('saved'));
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('acts.edit')} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <Stack gap="md">
          <FormAlert error={error} />
          <TextInput
            label={t('name')}
            maxLength={100}
            required
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Textarea
            label={t('description_label')}
            description={t('description_hint')}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={1_000}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
              {common('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
