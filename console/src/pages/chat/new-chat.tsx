import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import { Box, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/session.ts';
import { writeDraft } from '../../parts/composer/drafts.ts';
import { useDraft, useDraftOwner } from '../../parts/composer/use-draft.ts';
import { AgentCards } from './agent-cards.tsx';
import { type AnswerSettings, settingsBody } from './answer-settings.ts';
import { BuiltinNotice } from './builtin-notice.tsx';
import { changing, ChatComposer, type Outgoing } from './chat-composer.tsx';
import classes from './chat.module.css';
import { conversationQuery, createConversation, draftPlace, storeFirstQuestion } from './conversations.ts';
import { chatExtra, storedExtra } from './files.ts';
import { ListButton } from './list-button.tsx';

interface NewChatProps {
  readonly models: readonly ChatModelOption[];
  readonly first: string;
}

const nothing = () => undefined;

/** What a conversation that is not there yet will be answered with: this browser keeps it with the draft. */
function useNewSettings(first: string, models: readonly ChatModelOption[]) {
  const [draft, onDraft] = useDraft(draftPlace(null));
  const { collections, settings: stored = {} } = chatExtra(draft.extra);
  const known = (id: string | undefined) => models.some((one) => one.id === id);
  const settings: AnswerSettings = {
    modelsBeside: [],
    systemPrompt: null,
    parameters: {},
    ...stored,
    model: stored.model !== undefined && known(stored.model) ? stored.model : first,
    collections,
  };
  const onSettings = ({ collections: next, ...change }: Partial<AnswerSettings>) =>
    changing(onDraft, (old) => ({
      ...old,
      ...(next === undefined ? {} : { collections: next }),
      ...(Object.keys(change).length === 0 ? {} : { settings: { ...old.settings, ...change } }),
    }));
  return { draft, onDraft, settings, onSettings };
}

/** The beginning of a conversation: it is made with its first question. */
export function NewChat({ models, first }: NewChatProps) {
  const { t } = useTranslation('chat');
  const me = useMe();
  const owner = useDraftOwner();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const temporaryHint = useId();
  const { draft, onDraft, settings, onSettings } = useNewSettings(first, models);
  const { model } = settings;
  const { prompt: firstPrompt, collection } = useLocation({ select: ({ state }) => state });
  const [taken] = useState(firstPrompt);
  const onCollection = useEffectEvent((one: NonNullable<typeof collection>) => onSettings({ collections: [one] }));
  useEffect(() => {
    if (collection !== undefined) onCollection(collection);
    // A reload does not take them again.
    if (collection !== undefined || firstPrompt !== undefined) void navigate({ to: '/chat', replace: true, state: {} });
  }, [collection, firstPrompt, navigate]);
  const [temporary, setTemporary] = useState(false);
  const [reasoning, setReasoning] = useState<boolean | undefined>(undefined);
  const begin = async ({ content, extra }: Outgoing) => {
    const conversation = await createConversation({ ...settingsBody(settings), model, temporary });
    const { id } = conversation;
    // The words move into the conversation, which sends them: they are there until it has.
    const moved = storedExtra({ files: extra.files, collections: [] });
    writeDraft(localStorage, owner, draftPlace(id), { text: content, extra: moved });
    storeFirstQuestion(id, reasoning === undefined ? {} : { reasoning });
    queries.setQueryData(conversationQuery(id).queryKey, conversation);
    await navigate({ to: '/chat/$conversationId', params: { conversationId: id } });
  };
  const chosen = models.find(({ id }) => id === model);
  return (
    <section className={classes['begin']} aria-label={t('new')}>
      <Box hiddenFrom="sm" className={classes['head'] ?? ''}>
        <ListButton />
      </Box>
      <Stack justify="center" className={classes['talk'] ?? ''}>
        <Stack gap="lg" w="100%" className={classes['middle'] ?? ''}>
          <Title order={1} size="h2" ta="center">
            {t('greeting', { name: me.user.name })}
          </Title>
          <ChatComposer
            draft={draft}
            onDraft={onDraft}
            models={models}
            settings={settings}
            onSettings={onSettings}
            reasoning={reasoning}
            onReasoning={setReasoning}
            running={false}
            firstPrompt={taken}
            onSend={begin}
            onStop={nothing}
          />
          <Group justify="center" gap="xs">
            <Switch
              size="sm"
              label={t('temporary')}
              checked={temporary}
              onChange={({ currentTarget }) => setTemporary(currentTarget.checked)}
              aria-describedby={temporaryHint}
            />
            <Text size="sm" c="dimmed" id={temporaryHint}>
              {t('temporary_hint')}
            </Text>
          </Group>
          {chosen?.builtin ? <BuiltinNotice /> : null}
          <AgentCards />
        </Stack>
      </Stack>
    </section>
  );
}
