import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import classes from './chat.module.css';
import { NewChat } from './new-chat.tsx';
import { SideList } from './side-list.tsx';
import { Thread } from './thread.tsx';

/** Conversations with models, which are kept. */
export function Page() {
  const { t } = useTranslation('chat');
  const { conversationId = null } = useParams({ strict: false });
  const query = useQuery(chatModelsQuery);
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {({ items, default_model: first }) =>
        items.length === 0 ? (
          <EmptyState title={t('no_models')} hint={t('no_models_hint')} />
        ) : (
          <div className={classes['layout']} data-open={conversationId !== null}>
            <SideList openId={conversationId} />
            {conversationId === null ? (
              <NewChat models={items} first={first} />
            ) : (
              <Thread key={conversationId} id={conversationId} models={items} />
            )}
          </div>
        )
      }
    </Loaded>
  );
}
