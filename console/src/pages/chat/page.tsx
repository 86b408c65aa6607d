import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage, LoadingRows } from '../../parts/loading.tsx';
import { preloadMarkdown } from '../../parts/markdown/markdown.tsx';
import { AgentCards } from './agent-cards.tsx';
import classes from './chat.module.css';
import { NewChat } from './new-chat.tsx';
import { Thread } from './thread.tsx';

/** Fetched beside the page: people write before they look for what they wrote. */
const loadSideList = () => import('./side-list.tsx');
const SideList = lazy(async () => ({ default: (await loadSideList()).SideList }));
/** Fetched when the list is opened on a phone. */
const SideDrawer = lazy(async () => ({ default: (await import('./side-drawer.tsx')).SideDrawer }));

/** Conversations with models, which are kept. */
export function Page() {
  const { t } = useTranslation('chat');
  const { conversationId = null } = useParams({ strict: false });
  const query = useQuery(chatModelsQuery);
  useEffect(() => {
    preloadMarkdown();
    void loadSideList();
  }, []);
  const [wanted, setWanted] = useState(false);
  const [listed, { open: list, close }] = useDisclosure(false, { onOpen: () => setWanted(true) });
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {({ items, default_model: first }) =>
        items.length === 0 ? (
          <EmptyState level={1} title={t('no_models')} hint={t('no_models_hint')} action={<AgentCards />} />
        ) : (
          <div className={classes['layout']}>
            <Suspense
              fallback={
                <div className={classes['side']}>
                  <LoadingRows rows={4} />
                </div>
              }
            >
              <SideList openId={conversationId} />
            </Suspense>
            {wanted ? (
              <Suspense>
                <SideDrawer opened={listed} onClose={close} openId={conversationId} />
              </Suspense>
            ) : null}
            {conversationId === null ? (
              <NewChat models={items} first={first} onList={list} />
            ) : (
              <Thread key={conversationId} id={conversationId} models={items} onList={list} />
            )}
          </div>
        )
      }
    </Loaded>
  );
}
