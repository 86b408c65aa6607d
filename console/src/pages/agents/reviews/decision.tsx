import type { AgentReview } from '@ai-studio/contract/console/agents.ts';
import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
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

function ApproveDialog({ review, onClose }: DialogProps) {
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

function RejectDialog({ review, onClose }: DialogProps) {
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

/** The buttons that decide. Those who submitted it may take their own request back only. */
export function Decision({ review }: { readonly review: AgentReview }) {
  const { t } = useTranslation('reviews');
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null);
  if (review.state !== 'pending') return null;
  const close = () => setDialog(null);
  return (
    <Group gap="sm">
      <Button
        variant="default"
        leftSection={<IconX size={16} aria-hidden />}
        disabled={!review.may_decide}
        onClick={() => setDialog('reject')}
      >
        {t('reject')}
      </Button>
      <Button
        leftSection={<IconCheck size={16} aria-hidden />}
        disabled={!review.may_decide}
        onClick={() => setDialog('approve')}
      >
        {t('approve')}
      </Button>
      {dialog === 'approve' ? <ApproveDialog review={review} onClose={close} /> : null}
      {dialog === 'reject' ? <RejectDialog review={review} onClose={close} /> : null}
    </Group>
  );
}
