import { Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
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

/** Conversations with models, which are kept. */
export function Page() {
  const { t } = useTranslation('chat');
  const { conversationId = null } = useParams({ strict: false });
  const query = useQuery(chatModelsQuery);
  useEffect(() => {
    preloadMarkdown();
    void loadSideList();
  }, []);
  const [listed, { open: list, close }] = useDisclosure(false);
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {({ items, default_model: first }) =>
        items.length === 0 ? (
          <EmptyState level={1} title={t('no_models')} hint={t('no_models_hint')} action={<AgentCards />} />
        ) : (
          <div className={classes['layout']}>
            <Suspense fallback={<div className={classes['side']} />}>
              <SideList openId={conversationId} />
            </Suspense>
            <Drawer
              opened={listed}
              onClose={close}
              title={t('conversations')}
              hiddenFrom="sm"
              size="20rem"
              padding={0}
              classNames={{ header: classes['drawerHead'] ?? '', body: classes['drawer'] ?? '' }}
            >
              <Suspense fallback={<LoadingRows rows={4} />}>
                <SideList openId={conversationId} onOpen={close} />
              </Suspense>
            </Drawer>
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
