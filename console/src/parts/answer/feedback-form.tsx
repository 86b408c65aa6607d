import type { AnswerFeedback, AnswerRating, FeedbackReason } from '@ai-studio/contract/console/feedback.ts';
import { Button, Chip, Group, Stack, Text, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './answer.module.css';

/** Reasons that go with each thumb. */
const reasonsOf: Readonly<Record<AnswerRating, readonly FeedbackReason[]>> = {
  up: ['correct', 'clear', 'sourced', 'other'],
  down: ['wrong', 'incomplete', 'not_found', 'bad_source', 'off_topic', 'unsafe', 'other'],
};

interface FeedbackFormProps {
  readonly rating: AnswerRating;
  /** Whether those who build the agent see it. */
  readonly isTold: boolean;
  readonly isSending: boolean;
  readonly onSend: (said: Omit<AnswerFeedback, 'rating'>) => void;
  readonly onClose: () => void;
}

/** Why an answer helped or did not. */
export function FeedbackForm({ rating, isTold, isSending, onSend, onClose }: FeedbackFormProps) {
  const { t } = useTranslation('answers');
  const { t: common } = useTranslation('common');
  const title = useId();
  const [reasons, setReasons] = useState<FeedbackReason[]>([]);
  const [comment, setComment] = useState('');
  const isEmpty = reasons.length === 0 && comment.trim() === '';
  return (
    <Stack gap="sm" className={classes['form'] ?? ''}>
      <Text size="sm" fw={600} id={title}>
        {t(rating === 'up' ? 'why_up' : 'why_down')}
      </Text>
      <Chip.Group multiple value={reasons} onChange={setReasons}>
        <Group gap={6} role="group" aria-labelledby={title}>
          {reasonsOf[rating].map((reason) => (
            <Chip key={reason} value={reason} size="xs">
              {t(`reasons.${reason}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Textarea
        label={t('comment')}
        placeholder={t('comment_hint')}
        size="sm"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2_000}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
      <Text size="xs" c="dimmed">
        {t(isTold ? 'rating_told' : 'rating_kept')}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button size="xs" variant="subtle" color="gray" onClick={onClose}>
          {common('close')}
        </Button>
        <Button
          size="xs"
          disabled={isEmpty}
          loading={isSending && !isEmpty}
          onClick={() => onSend({ reasons, comment: comment.trim() })}
        >
          {t('send_reasons')}
        </Button>
      </Group>
    </Stack>
  );
}
