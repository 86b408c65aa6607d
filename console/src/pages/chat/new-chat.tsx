import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import { Box, Select, Stack, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/session.ts';
import { Composer } from '../../parts/composer.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { AgentCards } from './agent-cards.tsx';
import { BuiltinNotice } from './builtin-notice.tsx';
import classes from './chat.module.css';
import { conversationQuery, createConversation, storeFirstQuestion } from './conversations.ts';
import { ListButton } from './list-button.tsx';
import { ReasoningSwitch } from './reasoning-switch.tsx';

interface NewChatProps {
  readonly models: readonly ChatModelOption[];
  readonly first: string;
  readonly onList: () => void;
}

/** The beginning of a conversation: it is made with its first question. */
export function NewChat({ models, first, onList }: NewChatProps) {
  const { t } = useTranslation('chat');
  const me = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [model, setModel] = useState(first);
  const [reasoning, setReasoning] = useState<boolean | undefined>(undefined);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (content: string) => ({ content, conversation: await createConversation(model) }),
    async onSuccess({ content, conversation }) {
      storeFirstQuestion(conversation.id, { content, ...(reasoning === undefined ? {} : { reasoning }) });
      queries.setQueryData(conversationQuery(conversation.id).queryKey, conversation);
      await navigate({ to: '/chat/$conversationId', params: { conversationId: conversation.id } });
    },
  });
  const chosen = models.find(({ id }) => id === model);
  return (
    <section className={classes['begin']} aria-label={t('new')}>
      <Box hiddenFrom="sm" className={classes['head'] ?? ''}>
        <ListButton onList={onList} />
      </Box>
      <Stack justify="center" className={classes['talk'] ?? ''}>
        <Stack gap="md" w="100%" className={classes['middle'] ?? ''}>
          <Title order={1} size="h2" ta="center">
            {t('greeting', { name: me.user.name })}
          </Title>
          <FormAlert error={error} />
          <Select
            size="sm"
            searchable
            allowDeselect={false}
            label={t('model')}
            data={models.map(({ id }) => id)}
            value={model}
            onChange={(id) => setModel(id ?? model)}
          />
          {chosen?.builtin ? <BuiltinNotice /> : null}
          <Composer
            label={t('message')}
            placeholder={t('message_hint')}
            running={false}
            disabled={isPending}
            onSend={(content) => mutate(content)}
            onStop={() => undefined}
            beside={<ReasoningSwitch model={chosen} value={reasoning} onChange={setReasoning} />}
          />
          <AgentCards />
        </Stack>
      </Stack>
    </section>
  );
}
