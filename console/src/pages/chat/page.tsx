import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { preloadMarkdown } from '../../parts/markdown/markdown.tsx';
import { AgentCards } from './agent-cards.tsx';
import classes from './chat.module.css';
import { ListButton } from './list-button.tsx';
import { NewChat } from './new-chat.tsx';
import { Thread } from './thread.tsx';

/** Conversations with models, which are kept. */
export function Page() {
  const { t } = useTranslation('chat');
  const { conversationId = null } = useParams({ strict: false });
  const query = useQuery(chatModelsQuery);
  useEffect(preloadMarkdown, []);
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {({ items, default_model: first }) =>
        items.length === 0 ? (
          <section className={classes['begin']}>
            <Box hiddenFrom="sm" className={classes['head'] ?? ''}>
              <ListButton />
            </Box>
            <EmptyState level={1} title={t('no_models')} hint={t('no_models_hint')} action={<AgentCards />} />
          </section>
        ) : conversationId === null ? (
          <NewChat models={items} first={first} />
        ) : (
          <Thread key={conversationId} id={conversationId} models={items} />
        )
      }
    </Loaded>
  );
}
