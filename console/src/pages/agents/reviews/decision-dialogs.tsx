import type { AgentReview } from '@ai-studio/contract/console/agents.ts';
import { Modal, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { DialogForm } from '../../../parts/dialog-form.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { agentPath } from '../queries.ts';
import { useAgentChanged } from '../use-agent-changed.ts';

interface DialogProps {
  readonly review: AgentReview;
  readonly onClose: () => void;
}

/** Bound to what was looked at: anything else is refused. */
const boundTo = ({ id, hash }: AgentReview) => ({ review_id: id, hash });

export function ApproveDialog({ review, onClose }: DialogProps) {
  const { t } = useTranslation('reviews');
  const changed = useAgentChanged(review.agent_id);
  const { done } = useNotify();
  return (
    <ConfirmDialog
      opened
      danger={false}
      title={t('approve')}
      confirmLabel={t('approve')}
      onClose={onClose}
      onConfirm={async () => {
        await api.run('POST', `${agentPath(review.agent_id)}/approve`, boundTo(review));
        await changed();
        done(t('approved'));
      }}
    >
      {t('approve_hint', { number: review.version_number })}
    </ConfirmDialog>
  );
}

export function RejectDialog({ review, onClose }: DialogProps) {
  const { t } = useTranslation('reviews');
  const changed = useAgentChanged(review.agent_id);
  const { done } = useNotify();
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.run('POST', `${agentPath(review.agent_id)}/reject`, { ...boundTo(review), reason: reason.trim() }),
    async onSuccess() {
      await changed();
      done(t('rejected'));
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('reject')} centered>
      <DialogForm
        error={error}
        saveLabel={t('reject')}
        saving={isPending}
        color="red"
        disabled={reason.trim() === ''}
        onSave={() => mutate()}
        onClose={onClose}
      >
        <Text size="sm">{t('reject_hint')}</Text>
        <Textarea
          label={t('reason')}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={2_000}
          required
          data-autofocus
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}
