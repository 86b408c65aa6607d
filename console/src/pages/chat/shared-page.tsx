import type { SharedConversation, SharedMessage } from '@ai-studio/contract/console/shares.ts';
import { Alert, Drawer, Group, Stack, Text, Title } from '@mantine/core';
import { IconFile, IconLinkOff, IconMessageOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { Source } from '../../parts/agent-talk/source-drawer.tsx';
import { AiMark } from '../../parts/answer/ai-mark.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { Markdown, preloadMarkdown } from '../../parts/markdown/markdown.tsx';
import { SourceList } from '../../parts/source-list.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { UserMessage } from '../../parts/user-message.tsx';
import classes from './chat.module.css';
import shared from './shared.module.css';
import { sharedQuery } from './shares.ts';

interface ShownSource {
  readonly messageId: string;
  readonly number: number;
  readonly name: string;
}

interface MessageProps {
  readonly message: SharedMessage;
  readonly onSource: (source: ShownSource) => void;
}

function Answer({ message, onSource }: MessageProps) {
  const { t } = useTranslation('chat');
  const { t: words } = useTranslation('answers');
  const { id, content, citations, state, model } = message;
  const open = useMemo(() => citations.filter(({ opens }) => opens), [citations]);
  const sources = useMemo(() => open.map(({ number, document_name: name }) => ({ number, name })), [open]);
  const openSource = useCallback(
    (number: number) => {
      const name = open.find((one) => one.number === number)?.document_name;
      if (name !== undefined) onSource({ messageId: id, number, name });
    },
    [open, onSource, id],
  );
  return (
    <Stack gap="xs" component="article" aria-label={t('answer')}>
      <div lang="" data-answer>
        <Markdown text={content} sources={sources} onSource={openSource} />
      </div>
      {state === 'done' ? null : (
        <Text size="xs" c="dimmed">
          {t(state)}
        </Text>
      )}
      <SourceList
        sources={citations}
        closedHint={words('source_closed')}
        onOpen={(number, name) => onSource({ messageId: id, number, name })}
      />
      <Group gap="xs">
        <AiMark />
        <Text size="xs" c="dimmed">
          {model}
        </Text>
      </Group>
    </Stack>
  );
}

function Question({ message: { content, files } }: Pick<MessageProps, 'message'>) {
  return (
    <Stack gap={6}>
      {content === '' ? null : <UserMessage text={content} onRephrase={null} />}
      {files.length === 0 ? null : (
        <Group gap="xs" justify="flex-end">
          {files.map((name) => (
            <Text key={name} size="xs" c="dimmed">
              <IconFile size={12} aria-hidden /> {name}
            </Text>
          ))}
        </Group>
      )}
    </Stack>
  );
}

function Conversation({ conversation }: { readonly conversation: SharedConversation }) {
  const { t } = useTranslation('answers');
  const { t: talk } = useTranslation('talk');
  const { t: chat } = useTranslation('chat');
  const { dateTime } = useFormat();
  const [source, setSource] = useState<ShownSource | null>(null);
  const { id, by, own, created_at: at } = conversation;
  const title = conversation.title || t('untitled');
  const date = dateTime(at);
  return (
    <section className={shared['page']} aria-label={title}>
      <div className={shared['head']}>
        <Title order={1} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {own ? t('shared_own', { date }) : t('shared_by', { name: by, date })}
        </Text>
      </div>
      {/* What scrolls can be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['talk']} tabIndex={0} role="region" aria-label={chat('talk')}>
        <Stack gap="xl" className={classes['middle'] ?? ''}>
          <Alert variant="light" color="gray">
            {chat('check')}
          </Alert>
          {conversation.messages.map((message) =>
            message.role === 'user' ? (
              <Question key={message.id} message={message} />
            ) : (
              <Answer key={message.id} message={message} onSource={setSource} />
            ),
          )}
        </Stack>
      </div>
      <Drawer
        opened={source !== null}
        onClose={() => setSource(null)}
        position="right"
        size="44rem"
        title={source === null ? '' : talk('source_of', { number: source.number, name: source.name })}
      >
        {source === null ? null : (
          <Source
            key={`${source.messageId} ${source.number}`}
            place={{
              answer: `/shared-conversations/${id}/messages/${source.messageId}`,
              number: source.number,
            }}
          />
        )}
      </Drawer>
    </section>
  );
}

/** A conversation as somebody of the tenant shows it. */
export function Page() {
  const { t } = useTranslation('answers');
  const loaded = useLazyNamespace('answers');
  const { shareId = '' } = useParams({ strict: false });
  useEffect(preloadMarkdown, []);
  const query = useQuery(sharedQuery(shareId));
  if (!loaded) return <LoadingPage />;
  if (query.error instanceof ApiError && query.error.status === 404)
    return query.error.reason === 'share_withdrawn' ? (
      <EmptyState level={1} icon={IconLinkOff} title={t('shared_gone')} hint={t('shared_gone_hint')} />
    ) : (
      <EmptyState level={1} icon={IconMessageOff} title={t('shared_missing')} hint={t('shared_missing_hint')} />
    );
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {(conversation) => <Conversation conversation={conversation} />}
    </Loaded>
  );
}
