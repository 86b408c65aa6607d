import { type ChatModelOption, MAX_COMPARED_MODELS } from '@ai-studio/contract/console/conversations.ts';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconColumns2, IconCpu } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasPermission, useMe } from '../../api/session.ts';
import { useFormat } from '../../parts/use-format.ts';
import { type AnswerSettings, tellsModels } from './answer-settings.ts';
import classes from './composer.module.css';
import { Chip } from './file-chips.tsx';

const SettingsDialog = lazy(async () => ({ default: (await import('./settings-dialog.tsx')).SettingsDialog }));

interface ToolProps {
  readonly models: readonly ChatModelOption[];
  readonly settings: AnswerSettings;
  readonly onSettings: (change: Partial<AnswerSettings>) => void;
}

/** How the models are told to answer, for roles that may say so; the button tells whether they are. */
export function SettingsButton({ models, settings, onSettings }: ToolProps) {
  const { t } = useTranslation('chat');
  const [opened, setOpened] = useState(false);
  if (!hasPermission(useMe(), ['chat.settings'])) return null;
  const tells = tellsModels(settings);
  return (
    <>
      <Tooltip label={t('settings')}>
        <ActionIcon
          size={36}
          radius="xl"
          variant={tells ? 'light' : 'subtle'}
          {...(tells ? {} : { color: 'gray' })}
          aria-label={t('settings')}
          aria-haspopup="dialog"
          onClick={() => setOpened(true)}
        >
          <IconAdjustmentsHorizontal size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Suspense>
        {opened ? (
          <SettingsDialog
            settings={settings}
            model={models.find(({ id }) => id === settings.model)}
            onApply={onSettings}
            onClose={() => setOpened(false)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

/** Models that answer side by side with the one of the conversation. */
export function BesideButton({ models, settings: { model, modelsBeside }, onSettings }: ToolProps) {
  const { t } = useTranslation('chat');
  const others = models.filter(({ id }) => id !== model);
  if (others.length === 0) return null;
  const isFull = modelsBeside.length >= MAX_COMPARED_MODELS - 1;
  return (
    <Menu position="top-start" shadow="md" withinPortal closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon
          size={36}
          radius="xl"
          variant={modelsBeside.length > 0 ? 'light' : 'subtle'}
          {...(modelsBeside.length > 0 ? {} : { color: 'gray' })}
          aria-label={t('beside')}
        >
          <IconColumns2 size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="20rem" className={classes['menu'] ?? ''}>
        <Menu.Label>{t('beside_hint', { count: MAX_COMPARED_MODELS })}</Menu.Label>
        {others.map(({ id }) => {
          const on = modelsBeside.includes(id);
          return (
            <Menu.CheckboxItem
              key={id}
              checked={on}
              disabled={!on && isFull}
              onChange={() =>
                onSettings({ modelsBeside: on ? modelsBeside.filter((one) => one !== id) : [...modelsBeside, id] })
              }
            >
              {id}
            </Menu.CheckboxItem>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

/** What answers are made with beside files and collections, each with a way to take it out; null where there is nothing. */
export function useSettingsChips({ settings, onSettings }: Pick<ToolProps, 'settings' | 'onSettings'>) {
  const { t } = useTranslation('chat');
  const { number } = useFormat();
  const { systemPrompt, parameters, modelsBeside } = settings;
  if (!tellsModels(settings) && modelsBeside.length === 0) return null;
  const { temperature, top_p: topP, max_tokens: tokens, reasoning_effort: effort } = parameters;
  const told = [
    ...((systemPrompt ?? '') === '' ? [] : [t('with_prompt')]),
    ...(temperature == null ? [] : [t('with_temperature', { value: number(temperature) })]),
    ...(topP == null ? [] : [t('with_top_p', { value: number(topP) })]),
    ...(tokens == null ? [] : [t('with_max_tokens', { value: number(tokens) })]),
    ...(effort == null ? [] : [t('with_effort')]),
  ].join(' · ');
  return (
    <>
      {told === '' ? null : (
        <Chip
          icon={<IconAdjustmentsHorizontal size={18} aria-hidden />}
          name={told}
          removeLabel={t('take_out', { name: told })}
          onRemove={() => onSettings({ systemPrompt: null, parameters: {} })}
        />
      )}
      {modelsBeside.map((id) => (
        <Chip
          key={id}
          icon={<IconCpu size={18} aria-hidden />}
          name={t('beside_on', { name: id })}
          removeLabel={t('take_out', { name: id })}
          onRemove={() => onSettings({ modelsBeside: modelsBeside.filter((one) => one !== id) })}
        />
      ))}
    </>
  );
}
