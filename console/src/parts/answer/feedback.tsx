import type { AnswerFeedback, AnswerRating } from '@ai-studio/contract/console/feedback.ts';
import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import { IconThumbDown, IconThumbDownFilled, IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { useNotify } from '../use-notify.tsx';
import type { FeedbackForm } from './feedback-form.tsx';

interface FeedbackProps {
  /** Of the answer, below the console's interface. */
  readonly address: string;
  /** What the person has said of it; null: nothing. */
  readonly given: AnswerFeedback | null;
  /** Whether those who build the agent see it. */
  readonly isTold: boolean;
  readonly onChange?: (feedback: AnswerFeedback | null) => void;
}

const icons = {
  up: { plain: IconThumbUp, chosen: IconThumbUpFilled, label: 'helpful' },
  down: { plain: IconThumbDown, chosen: IconThumbDownFilled, label: 'unhelpful' },
} as const;

/** Thumbs: one click says it, then there is room for reasons; the same thumb once more takes it back. */
export function Feedback({ address, given, isTold, onChange }: FeedbackProps) {
  const { t } = useTranslation('answers');
  const loaded = useLazyNamespace('answers');
  const notify = useNotify();
  const [shown, setShown] = useState(given);
  const [asking, setAsking] = useState<AnswerRating | null>(null);
  // Loaded before it is shown: what opens empty finds no place for what comes into it, and nothing to put the focus on.
  const [Form, setForm] = useState<typeof FeedbackForm | null>(null);
  const { mutate, isPending } = useMutation({
    // One after the other: the reasons are not to be overtaken by the click before them.
    scope: { id: address },
    mutationFn: (next: AnswerFeedback | null) =>
      next === null ? api.run('DELETE', `${address}/feedback`) : api.run('PUT', `${address}/feedback`, next),
    onMutate(next) {
      setShown(next);
      return shown;
    },
    onSuccess: (_done, next) => onChange?.(next),
    onError(error, _next, before) {
      // The reasons stay where they are written: they can be sent once more.
      setShown(before ?? null);
      notify.failed(error);
    },
  });
  if (!loaded) return null;
  const ask = async (rating: AnswerRating) => {
    setAsking(rating);
    try {
      const { FeedbackForm: loadedForm } = await import('./feedback-form.tsx');
      setForm(() => loadedForm);
    } catch {
      // The thumb counts without reasons.
      setAsking(null);
    }
  };
  const rate = (rating: AnswerRating) => {
    const isTakenBack = shown?.rating === rating;
    if (isTakenBack) setAsking(null);
    else void ask(rating);
    mutate(isTakenBack ? null : { rating, reasons: [], comment: '' });
  };
  const button = (rating: AnswerRating) => {
    const { plain, chosen, label } = icons[rating];
    const isChosen = shown?.rating === rating;
    const Icon = isChosen ? chosen : plain;
    return (
      <Tooltip label={isChosen ? t('undo_rating') : t(label)} disabled={asking !== null} withArrow>
        <ActionIcon
          variant="subtle"
          {...(isChosen ? {} : { color: 'gray' })}
          aria-label={t(label)}
          aria-pressed={isChosen}
          onClick={() => rate(rating)}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    );
  };
  return (
    <Popover
      opened={asking !== null && Form !== null}
      onChange={(opened) => {
        if (!opened) setAsking(null);
      }}
      position="bottom-end"
      shadow="md"
      trapFocus
      withinPortal
      returnFocus
      // What opens it are two buttons, not what stands around them.
      withRoles={false}
    >
      <Popover.Target>
        <span>
          {button('up')}
          {button('down')}
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('rating')}>
        {asking === null || Form === null ? null : (
          <Form
            key={asking}
            rating={asking}
            isTold={isTold}
            isSending={isPending}
            onSend={(said) =>
              mutate(
                { rating: asking, ...said },
                {
                  onSuccess() {
                    setAsking(null);
                    notify.done(t('thanks'));
                  },
                },
              )
            }
            onClose={() => setAsking(null)}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
