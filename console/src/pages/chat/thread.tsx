import type { ChatModelOption, Conversation } from '@ai-studio/contract/console/conversations.ts';
import { Group, Select, Stack, Text, Title } from '@mantine/core';
import { IconMessageOff } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Composer } from '../../parts/composer.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { useAutoScroll } from '../../parts/use-auto-scroll.ts';
import classes from './chat.module.css';
import { updateConversation, conversationQuery, isNotFound, takeFirstQuestion } from './conversations.ts';
import { ListButton } from './list-button.tsx';
import { MessageView } from './message-view.tsx';
import { ReasoningSwitch } from './reasoning-switch.tsx';
import { useConversation } from './use-conversation.ts';

function ModelChoice({
  conversation,
  models,
}: {
  readonly conversation: Conversation;
  readonly models: readonly ChatModelOption[];
}) {
  const { t } = useTranslation('chat');
  const queries = useQueryClient();
  const key = conversationQuery(conversation.id).queryKey;
  const { mutate } = useMutation({
    mutationFn: (model: string) => updateConversation(conversation.id, { model }),
    onSuccess: ({ model }) => queries.setQueryData(key, (old) => (old === undefined ? old : { ...old, model })),
  });
  const known = models.some(({ id }) => id === conversation.model);
  return (
    <Select
      size="xs"
      w={{ base: 150, sm: 240 }}
      searchable
      allowDeselect={false}
      aria-label={t('model')}
      data={[...(known ? [] : [conversation.model]), ...models.map(({ id }) => id)]}
      value={conversation.model}
      onChange={(model) => mutate(model ?? conversation.model)}
    />
  );
}

interface ThreadProps {
  readonly id: string;
  readonly models: readonly ChatModelOption[];
  readonly onList: () => void;
}

/** A conversation: what was said, and the field to go on. */
export function Thread({ id, models, onList }: ThreadProps) {
  const { t } = useTranslation('chat');
  const talk = useConversation(id);
  const follow = useAutoScroll();
  const [reasoning, setReasoning] = useState<boolean | undefined>(undefined);
  const { query, running, failure, ask } = talk;
  const conversation = query.data;
  const loaded = conversation !== undefined;
  useEffect(() => {
    if (!loaded) return;
    const first = takeFirstQuestion(id);
    if (first !== undefined) ask(first);
    // Runs once: taking the question removes it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [loaded, id]);
  const onReplace = useCallback(
    (messageId: string, text: string | null) =>
      ask({
        replaceFrom: messageId,
        ...(text === null ? {} : { content: text }),
        ...(reasoning === undefined ? {} : { reasoning }),
      }),
    // `ask` works on the conversation of this id alone.
    // oxlint-disable-next-line react/exhaustive-deps
    [id, reasoning],
  );
  if (query.error !== null && !loaded) {
    if (isNotFound(query.error))
      return <EmptyState level={1} icon={IconMessageOff} title={t('gone')} hint={t('gone_hint')} />;
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!loaded) return <LoadingPage />;
  const model = models.find(({ id: known }) => known === conversation.model);
  // The title comes with the end of the first answer; until then its question says what it is about.
  const firstQuestion = conversation.messages.find(({ role }) => role === 'user')?.content;
  const title = conversation.title || firstQuestion || t('untitled');
  return (
    <section className={classes['thread']} aria-label={title}>
      <Group className={classes['head'] ?? ''} justify="space-between" wrap="nowrap" gap="xs">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <ListButton onList={onList} />
          <Title order={1} size="h5" lineClamp={1}>
            {title}
          </Title>
        </Group>
        <ModelChoice conversation={conversation} models={models} />
      </Group>
      {/* What scrolls can be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['talk']} {...follow} tabIndex={0} role="log" aria-label={t('talk')}>
        <Stack gap="xl" className={classes['middle'] ?? ''}>
          {conversation.messages.map((message) => (
            <MessageView key={message.id} message={message} onReplace={running ? null : onReplace} />
          ))}
          <FormAlert error={failure} />
        </Stack>
      </div>
      <div className={classes['foot']}>
        <Stack gap={6} className={classes['middle'] ?? ''}>
          <Composer
            label={t('message')}
            placeholder={t('message_hint')}
            running={running}
            onSend={(content) => ask({ content, ...(reasoning === undefined ? {} : { reasoning }) })}
            onStop={() => void talk.stop()}
            beside={<ReasoningSwitch model={model} value={reasoning} onChange={setReasoning} />}
          />
          <Text size="xs" c="dimmed" ta="center">
            {t('check')}
          </Text>
        </Stack>
      </div>
    </section>
  );
}
