import { ActionIcon, Alert, Code, Group, Loader, Stack, Text, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { AiMark } from '../../parts/answer/ai-mark.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Markdown } from '../../parts/markdown/markdown.tsx';
import { UserMessage } from '../../parts/user-message.tsx';
import { Thinking } from '../../parts/thinking.tsx';
import { useErrorMessage } from '../../parts/use-error-message.ts';
import { AnswerFigures } from './answer-figures.tsx';
import type { Turn } from './panes.ts';
import { ToolCalls } from './tool-calls.tsx';

type AnswerTurn = Extract<Turn, { kind: 'answer' }>;

/** Refusals of the model service are told in its own words: they name the parameter. */
function useChatErrorMessage(): (error: unknown) => string {
  const words = useErrorMessage();
  return (error) =>
    error instanceof ApiError && error.code !== 'network' && error.message ? error.message : words(error);
}

interface AnswerProps {
  readonly turn: AnswerTurn;
  readonly open: readonly string[];
  readonly onAgain: () => void;
  readonly onResult: (callId: string, text: string) => void;
}

function AnswerView({ turn, open, onAgain, onResult }: AnswerProps) {
  const { t } = useTranslation('playground');
  const words = useChatErrorMessage();
  const { answer, state, error } = turn;
  const running = state === 'running';
  const thinking = running && answer.content === '' && answer.toolCalls.length === 0;
  return (
    <Stack gap="xs" component="article" aria-label={t('answer_of', { model: turn.model })} aria-busy={running}>
      <Text size="xs" fw={600} c="dimmed">
        {answer.fallback === null ? turn.model : t('instead', { model: answer.fallback, asked: turn.model })}
      </Text>
      {answer.reasoning === '' ? null : <Thinking text={answer.reasoning} running={thinking} />}
      {running && answer.content === '' && answer.reasoning === '' ? <Loader type="dots" size="sm" /> : null}
      {answer.content === '' ? null : <Markdown text={answer.content} growing={running} />}
      {answer.toolCalls.length === 0 ? null : (
        <ToolCalls calls={answer.toolCalls} open={running ? [] : open} onResult={onResult} />
      )}
      {state === 'failed' ? (
        <Alert color="red" variant="light" role="alert">
          {words(error)}
        </Alert>
      ) : null}
      {state === 'stopped' ? (
        <Text size="xs" c="dimmed">
          {t('stopped')}
        </Text>
      ) : null}
      {state === 'done' && answer.finishReason === 'length' ? (
        <Text size="xs" c="dimmed">
          {t('cut')}
        </Text>
      ) : null}
      {running ? null : (
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <AiMark />
            <AnswerFigures answer={answer} />
          </Group>
          <Group gap={4}>
            {answer.content === '' ? null : <CopyButton value={answer.content} label={t('copy_answer')} />}
            <Tooltip label={t('again')}>
              <ActionIcon variant="subtle" color="gray" aria-label={t('again')} onClick={onAgain}>
                <IconRefresh size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Group>
        </Group>
      )}
    </Stack>
  );
}

interface TurnViewProps {
  readonly turn: Turn;
  readonly running: boolean;
  /** Calls of tools that wait for a result. */
  readonly open: readonly string[];
  readonly onAgain: () => void;
  readonly onRephrase: (text: string) => void;
  readonly onResult: (callId: string, text: string) => void;
}

/** One turn of a talk with a model. */
export function TurnView({ turn, running, open, onAgain, onRephrase, onResult }: TurnViewProps) {
  const { t } = useTranslation('playground');
  if (turn.kind === 'answer') return <AnswerView turn={turn} open={open} onAgain={onAgain} onResult={onResult} />;
  if (turn.kind === 'user') return <UserMessage text={turn.text} onRephrase={running ? null : onRephrase} />;
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {t('result_of', { call: turn.callId })}
      </Text>
      <Code block>{turn.text}</Code>
    </Stack>
  );
}
