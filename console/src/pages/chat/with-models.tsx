import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { preloadMarkdown } from '../../parts/markdown/markdown.tsx';
import classes from './chat.module.css';
import { ListButton } from './list-button.tsx';

/** Fetched where there is no model. */
const AgentCards = lazy(async () => ({ default: (await import('./agent-cards.tsx')).AgentCards }));

interface WithModelsProps {
  /** Draws a talk with the models that there are, one at least; `first`: id of the one to begin with. */
  readonly children: (models: readonly ChatModelOption[], first: string) => ReactNode;
}

/** What talks with models need: models. Where there is none, the way to the agents. */
export function WithModels({ children }: WithModelsProps) {
  const { t } = useTranslation('chat');
  const query = useQuery(chatModelsQuery);
  useEffect(preloadMarkdown, []);
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {({ items, default_model: first }) =>
        items.length > 0 ? (
          children(items, first)
        ) : (
          <section className={classes['begin']}>
            <Box hiddenFrom="sm" className={classes['head'] ?? ''}>
              <ListButton />
            </Box>
            <EmptyState
              level={1}
              title={t('no_models')}
              hint={t('no_models_hint')}
              action={
                <Suspense>
                  <AgentCards />
                </Suspense>
              }
            />
          </section>
        )
      }
    </Loaded>
  );
}
