import { type AgentDetails, AgentSummary } from '@ai-studio/contract/console/agents.ts';
import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { DialogForm } from '../../../parts/dialog-form.tsx';
import { type Naming, NamingFields } from '../../../parts/naming-fields.tsx';
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
  const [naming, setNaming] = useState<Naming>({ name: agent.name, description: agent.description });
  const { name, description } = naming;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.patch(agentPath(agent.id), { name: name.trim(), description: description.trim() }, AgentSummary.partial()),
    async onSuccess() {
      await changed();
      done(common('saved'));
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('acts.edit')} centered>
      <DialogForm
        error={error}
        saveLabel={common('save')}
        saving={isPending}
        disabled={name.trim() === ''}
        onSave={() => mutate()}
        onClose={onClose}
      >
        <NamingFields
          naming={naming}
          onChange={setNaming}
          labels={{ name: t('name'), description: t('description_label'), hint: t('description_hint') }}
          longest={{ name: 100, description: 1_000 }}
        />
      </DialogForm>
    </Modal>
  );
}
