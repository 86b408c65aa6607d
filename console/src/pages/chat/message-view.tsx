import type { MessageFallback } from '@ai-studio/contract/console/conversation-parts.ts';
import type { ChatModelOption, ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import { memo, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Markdown } from '../../parts/markdown/markdown.tsx';
import { SourceList } from '../../parts/source-list.tsx';
import { UserMessage } from '../../parts/user-message.tsx';
import { Thinking } from '../../parts/thinking.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { AiMark } from '../../parts/answer/ai-mark.tsx';
import { AnswerActions, Versions } from './answer-actions.tsx';
import { SentFiles } from './file-chips.tsx';

function Figures({ message }: { readonly message: ConversationMessage }) {
  const { t } = useTranslation('chat');
  const { number, duration } = useFormat();
  const { model, completion_tokens: tokens, first_token_ms: first, duration_ms: whole } = message;
  const figures = [
    model,
    tokens === null ? null : t('tokens', { tokens: number(tokens) }),
    first === null ? null : t('first_token', { time: duration(first) }),
    whole === null ? null : duration(whole),
  ];
  return (
    <Text size="xs" c="dimmed">
      {figures.filter((figure) => figure !== null).join(' · ')}
    </Text>
  );
}

/** Says that another model answered than the one that was asked for, and why. */
function Instead({ message, fallback }: { readonly message: ConversationMessage; readonly fallback: MessageFallback }) {
  const { t } = useTranslation('chat');
  const models = { asked: fallback.asked, model: message.model ?? '' };
  return (
    <Text size="xs" c="dimmed" role="note">
      {t(`instead.${fallback.reason}`, models)}
    </Text>
  );
}

interface AnswerProps extends ActProps {
  readonly conversationId: string;
  readonly message: ConversationMessage;
}

function Answer({ conversationId, message, models, onAgain, onShow, onContinue, onSource }: AnswerProps) {
  const { t } = useTranslation('chat');
  const { id, content, reasoning, state, error, citations } = message;
  const running = state === 'running';
  const sources = useMemo(() => citations.map(({ number, document_name: name }) => ({ number, name })), [citations]);
  const openSource = useCallback(
    (number: number) => onSource(id, number, citations.find((one) => one.number === number)?.document_name ?? ''),
    [onSource, id, citations],
  );
  return (
    <Stack gap="xs" component="article" aria-label={t('answer')} aria-busy={running}>
      {reasoning ? <Thinking text={reasoning} running={running && content === ''} ms={message.reasoning_ms} /> : null}
      {running && content === '' && !reasoning ? <Loader type="dots" size="sm" aria-label={t('waiting')} /> : null}
      {content === '' ? null : (
        <div lang="" data-answer>
          <Markdown text={content} growing={running} sources={sources} onSource={openSource} />
        </div>
      )}
      {state === 'failed' ? (
        <Alert color="red" variant="light" role="alert">
          {error ?? t('failed')}
        </Alert>
      ) : null}
      {state === 'stopped' ? (
        <Text size="xs" c="dimmed">
          {t('stopped')}
        </Text>
      ) : null}
      {message.fallback === null ? null : <Instead message={message} fallback={message.fallback} />}
      {running ? null : <SourceList sources={citations} onOpen={(number, name) => onSource(id, number, name)} />}
      {running ? null : (
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Versions message={message} onShow={onShow} />
            <AiMark />
            <Figures message={message} />
          </Group>
          <Group gap={4}>
            <AnswerActions
              conversationId={conversationId}
              message={message}
              models={models}
              onAgain={onAgain === null ? null : (model) => onAgain(id, model)}
              onContinue={state === 'stopped' && content !== '' ? onContinue : null}
            />
          </Group>
        </Group>
      )}
    </Stack>
  );
}

interface ActProps {
  readonly models: readonly ChatModelOption[];
  /** Asks for another answer, of this model where one is named; null while one is written. */
  readonly onAgain: ((messageId: string, model: string | undefined) => void) | null;
  /** Shows another version; null while an answer is written. */
  readonly onShow: ((messageId: string) => void) | null;
  /** Has the last answer go on; null for those before. */
  readonly onContinue: (() => void) | null;
  readonly onSource: (messageId: string, number: number, name: string) => void;
}

interface MessageViewProps extends ActProps {
  readonly conversationId: string;
  readonly message: ConversationMessage;
  /** Where the browser keeps what is written in this conversation. */
  readonly place: string;
  /** Asks a question in other words; null while an answer is written. Resolves once it was accepted. */
  readonly onRephrase: ((messageId: string, text: string) => Promise<void>) | null;
}

/** One turn of a conversation. Drawn again only when it has changed. */
export const MessageView = memo(function MessageView({
  conversationId,
  message,
  place,
  onRephrase,
  ...acts
}: MessageViewProps) {
  if (message.role !== 'user') return <Answer conversationId={conversationId} message={message} {...acts} />;
  return (
    <Stack gap={6}>
      <SentFiles files={message.files} />
      <UserMessage
        text={message.content}
        place={`${place}/${message.id}`}
        onRephrase={onRephrase === null ? null : (text) => onRephrase(message.id, text)}
      />
      <Group justify="flex-end">
        <Versions message={message} onShow={acts.onShow} />
      </Group>
    </Stack>
  );
});
