import type { ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import { ActionIcon, Alert, Group, Loader, Stack, Text, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Markdown } from '../../parts/markdown/markdown.tsx';
import { UserMessage } from '../../parts/user-message.tsx';
import { Thinking } from '../../parts/thinking.tsx';
import { useFormat } from '../../parts/use-format.ts';

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

interface AnswerProps {
  readonly message: ConversationMessage;
  /** Null while another answer is written. */
  readonly onAgain: (() => void) | null;
}

function Answer({ message, onAgain }: AnswerProps) {
  const { t } = useTranslation('chat');
  const { content, reasoning, state, error } = message;
  const running = state === 'running';
  return (
    <Stack gap="xs" component="article" aria-label={t('answer')} aria-busy={running}>
      {reasoning ? <Thinking text={reasoning} running={running && content === ''} /> : null}
      {running && content === '' && !reasoning ? <Loader type="dots" size="sm" aria-label={t('waiting')} /> : null}
      {content === '' ? null : <Markdown text={content} growing={running} />}
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
      {running ? null : (
        <Group justify="space-between" gap="xs">
          <Figures message={message} />
          <Group gap={4}>
            {content === '' ? null : <CopyButton value={content} label={t('copy_answer')} />}
            {onAgain === null ? null : (
              <Tooltip label={t('again')}>
                <ActionIcon variant="subtle" color="gray" aria-label={t('again')} onClick={onAgain}>
                  <IconRefresh size={16} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
        </Group>
      )}
    </Stack>
  );
}

interface MessageViewProps {
  readonly message: ConversationMessage;
  /** Asks anew from this message on; null while an answer is written. */
  readonly onReplace: ((messageId: string, text: string | null) => void) | null;
}

/** One turn of a conversation. Drawn again only when it has changed. */
export const MessageView = memo(function MessageView({ message, onReplace }: MessageViewProps) {
  if (message.role === 'user') {
    return (
      <UserMessage
        text={message.content}
        onRephrase={onReplace === null ? null : (text) => onReplace(message.id, text)}
      />
    );
  }
  return <Answer message={message} onAgain={onReplace === null ? null : () => onReplace(message.id, null)} />;
});
