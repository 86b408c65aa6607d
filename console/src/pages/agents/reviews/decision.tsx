import type { AgentReview } from '@ai-studio/contract/console/agents.ts';
import { Button, Group } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Fetched when somebody decides. */
const ApproveDialog = lazy(async () => ({ default: (await import('./decision-dialogs.tsx')).ApproveDialog }));
const RejectDialog = lazy(async () => ({ default: (await import('./decision-dialogs.tsx')).RejectDialog }));

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
      <Suspense>
        {dialog === 'approve' ? <ApproveDialog review={review} onClose={close} /> : null}
        {dialog === 'reject' ? <RejectDialog review={review} onClose={close} /> : null}
      </Suspense>
    </Group>
  );
}
