import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import { ActionIcon, Badge, Drawer, Group, Select, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustments, IconCode, IconX } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingPage } from '../../parts/loading.tsx';
import { useAutoScroll } from '../../parts/use-auto-scroll.ts';
import { type Pane, isRunning, pendingToolCalls } from './panes.ts';
import classes from './playground.module.css';
import { TurnView } from './turn-view.tsx';
import type { Panes } from './use-panes.ts';

const SettingsForm = lazy(async () => ({ default: (await import('./settings-form.tsx')).SettingsForm }));

interface PaneViewProps {
  readonly pane: Pane;
  readonly place: number;
  readonly alone: boolean;
  readonly models: readonly ChatModelOption[];
  readonly talk: Panes;
  readonly onCode: () => void;
}

/** A model, its settings and the talk with it. */
export function PaneView({ pane, place, alone, models, talk, onCode }: PaneViewProps) {
  const { t } = useTranslation('playground');
  const [opened, { open, close }] = useDisclosure(false);
  const { ref, onScroll } = useAutoScroll().props;
  const { settings } = pane;
  const model = models.find(({ id }) => id === settings.model);
  const running = isRunning(pane);
  return (
    <section className={classes['pane']} aria-label={t('pane', { number: place, model: settings.model })}>
      <Group className={classes['paneHead'] ?? ''} gap="xs" wrap="nowrap">
        <Select
          flex={1}
          size="xs"
          searchable
          allowDeselect={false}
          aria-label={t('model')}
          data={models.map(({ id }) => id)}
          value={settings.model}
          onChange={(id) => talk.set(pane.id, { ...settings, model: id ?? settings.model, templateKeys: {} })}
        />
        {model?.builtin ? (
          <Tooltip label={t('builtin_hint')} multiline w={260}>
            <Badge variant="light" color="orange" tt="none">
              {t('builtin')}
            </Badge>
          </Tooltip>
        ) : null}
        <Tooltip label={t('settings')}>
          <ActionIcon variant="default" size={30} aria-label={t('settings')} onClick={open}>
            <IconAdjustments size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('view_code')}>
          <ActionIcon variant="default" size={30} aria-label={t('view_code')} onClick={onCode}>
            <IconCode size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        {alone ? null : (
          <Tooltip label={t('remove_pane')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={t('remove_pane')}
              onClick={() => talk.remove(pane.id)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      {/* What scrolls can be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['talk']} ref={ref} onScroll={onScroll} tabIndex={0} role="log" aria-label={t('talk')}>
        {pane.turns.length === 0 ? (
          <Text c="dimmed" ta="center" mt="xl">
            {t('empty')}
          </Text>
        ) : (
          <Stack gap="lg">
            {pane.turns.map((turn) => (
              <TurnView
                key={turn.id}
                turn={turn}
                running={running}
                open={pendingToolCalls(pane)}
                onAgain={() => talk.again(pane, turn.id)}
                onRephrase={(text) => talk.rephrase(pane, turn.id, text)}
                onResult={(callId, text) => talk.giveResult(pane, callId, text)}
              />
            ))}
          </Stack>
        )}
      </div>
      <Drawer opened={opened} onClose={close} position="right" title={t('settings_of', { model: settings.model })}>
        <Suspense fallback={<LoadingPage />}>
          <SettingsForm settings={settings} model={model} onChange={(changed) => talk.set(pane.id, changed)} />
        </Suspense>
      </Drawer>
    </section>
  );
}
