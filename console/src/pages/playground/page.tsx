import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import { Button, Group, Title } from '@mantine/core';
import { IconColumnInsertRight, IconEraser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { Composer } from '../../parts/composer/composer.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PaneView } from './pane-view.tsx';
import { MAX_PANES, isRunning, pendingToolCalls } from './panes.ts';
import classes from './playground.module.css';
import { parseTools } from './request.ts';
import { usePanes } from './use-panes.ts';

/** Fetched when somebody wants to see code. */
const CodeDialog = lazy(async () => ({ default: (await import('./code-dialog.tsx')).CodeDialog }));

interface PlaygroundProps {
  readonly models: readonly ChatModelOption[];
  readonly first: string;
}

function Playground({ models, first }: PlaygroundProps) {
  const { t } = useTranslation('playground');
  const talk = usePanes(
    first,
    models.map(({ id }) => id),
  );
  const [shown, setShown] = useState<number | null>(null);
  /** Once it was: the dialog stays, to close in its own time. */
  const [showsCode, setShowsCode] = useState(false);
  const { panes } = talk;
  const running = panes.some(isRunning);
  const waits = panes.some((pane) => pendingToolCalls(pane).length > 0 || 'fault' in parseTools(pane.settings.tools));
  return (
    <div className={classes['layout']}>
      <Group justify="space-between" px="md" py="xs">
        <Title order={1} size="h4">
          {t('title')}
        </Title>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconColumnInsertRight size={16} aria-hidden />}
            disabled={panes.length >= MAX_PANES}
            onClick={talk.add}
          >
            {t('compare')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconEraser size={16} aria-hidden />}
            disabled={panes.every(({ turns }) => turns.length === 0)}
            onClick={talk.clear}
          >
            {t('clear')}
          </Button>
        </Group>
      </Group>
      <div className={classes['panes']}>
        {panes.map((pane, i) => (
          <PaneView
            key={pane.id}
            pane={pane}
            place={i + 1}
            alone={panes.length === 1}
            models={models}
            talk={talk}
            onCode={() => {
              setShowsCode(true);
              setShown(pane.id);
            }}
          />
        ))}
      </div>
      <div className={classes['foot']}>
        <Composer
          label={t('message')}
          placeholder={panes.length > 1 ? t('message_all') : t('message_hint')}
          running={running}
          disabled={waits}
          onSend={talk.ask}
          onStop={talk.stop}
        />
      </div>
      {showsCode ? (
        <Suspense>
          <CodeDialog pane={panes.find(({ id }) => id === shown) ?? null} onClose={() => setShown(null)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Models tried out and compared side by side. */
export function Page() {
  const { t } = useTranslation('playground');
  const query = useQuery(chatModelsQuery);
  return (
    <Loaded query={query}>
      {(models) =>
        models.items.length === 0 ? (
          <EmptyState level={1} title={t('no_models')} hint={t('no_models_hint')} />
        ) : (
          <Playground models={models.items} first={models.default_model} />
        )
      }
    </Loaded>
  );
}
