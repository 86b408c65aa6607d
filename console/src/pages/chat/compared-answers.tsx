import type { ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import { ActionIcon, Button, Group, Text, Title } from '@mantine/core';
import { IconArrowRight, IconPlayerStopFilled } from '@tabler/icons-react';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import classes from './compared.module.css';
import { MessageView } from './message-view.tsx';

interface ColumnProps {
  readonly conversationId: string;
  readonly answer: ConversationMessage;
  readonly onSource: (messageId: string, number: number, name: string) => void;
  readonly onStop: (answerId: string) => void;
  /** Null while something is under way. */
  readonly onChoose: ((answer: ConversationMessage) => void) | null;
}

const Column = memo(function Column({ conversationId, answer, onSource, onStop, onChoose }: ColumnProps) {
  const { t } = useTranslation('chatTools');
  const model = answer.model ?? '';
  // Its versions are the other columns.
  const alone = useMemo(() => ({ ...answer, versions: [answer.id] }), [answer]);
  return (
    <section className={classes['column']} aria-label={model}>
      <Group justify="space-between" wrap="nowrap" gap="xs" className={classes['head'] ?? ''}>
        <Title order={2} size="h6" className={classes['model'] ?? ''}>
          {model}
        </Title>
        {answer.state === 'running' ? (
          <ActionIcon
            size={28}
            radius="xl"
            variant="light"
            color="red"
            aria-label={t('compare_stop', { model })}
            onClick={() => onStop(answer.id)}
          >
            <IconPlayerStopFilled size={14} aria-hidden />
          </ActionIcon>
        ) : null}
      </Group>
      <div className={classes['answer']}>
        <MessageView
          conversationId={conversationId}
          message={alone}
          place=""
          models={[]}
          onRephrase={null}
          onAgain={null}
          onShow={null}
          onContinue={null}
          onSource={onSource}
        />
      </div>
      {answer.content === '' ? null : (
        <Button
          size="xs"
          variant="light"
          rightSection={<IconArrowRight size={14} aria-hidden />}
          aria-label={t('compare_choose_of', { model })}
          disabled={onChoose === null}
          onClick={() => onChoose?.(answer)}
        >
          {t('compare_choose')}
        </Button>
      )}
    </section>
  );
});

interface ComparedAnswersProps extends Omit<ColumnProps, 'answer'> {
  readonly answers: readonly ConversationMessage[];
}

/** Answers of several models to one question, side by side, one of which the conversation goes on with. */
export function ComparedAnswers({ answers, ...acts }: ComparedAnswersProps) {
  const { t } = useTranslation('chatTools');
  if (!useLazyNamespace('chatTools')) return null;
  return (
    <div className={classes['compared']} role="group" aria-label={t('compare_columns')}>
      <div className={classes['columns']}>
        {answers.map((answer) => (
          <Column key={answer.id} answer={answer} {...acts} />
        ))}
      </div>
      <Text size="xs" c="dimmed" ta="center" mt="sm">
        {t('compare_hint')}
      </Text>
    </div>
  );
}
