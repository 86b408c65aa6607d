import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { ActionIcon, Button, Group, Text, Title, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconCircleCheck,
  IconCloudCheck,
  IconCloudUp,
  IconCloudX,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../../../parts/use-error-message.ts';
import { StateBadge } from '../state-badge.tsx';
import classes from './builder.module.css';
import { useBuilder } from './context.ts';
import type { SaveState } from './use-autosave.ts';

const pictures = {
  saved: IconCloudCheck,
  changed: IconCloudUp,
  saving: IconCloudUp,
  conflict: IconCloudX,
  failed: IconCloudX,
} as const;

/** Whether the draft is kept. */
function SavedMark({ state, onRetry }: { readonly state: SaveState; readonly onRetry: () => void }) {
  const { t } = useTranslation('agentBuilder');
  const { t: common } = useTranslation('common');
  const errorMessage = useErrorMessage();
  const Picture = pictures[state.is];
  return (
    <Group gap={6} wrap="nowrap" data-testid="saved-state" data-state={state.is} className={classes['saved'] ?? ''}>
      <Picture size={16} aria-hidden />
      <Text size="xs" role="status" truncate className={classes['word'] ?? ''}>
        {state.is === 'failed' ? `${t('saves.failed')}: ${errorMessage(state.error)}` : t(`saves.${state.is}`)}
      </Text>
      {state.is === 'failed' ? (
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          {common('retry')}
        </Button>
      ) : null}
    </Group>
  );
}

interface HeaderProps {
  readonly agent: AgentDetails;
  readonly saved: SaveState;
  readonly onSave: () => void;
  readonly onProblems: () => void;
  readonly onRun: () => void;
  readonly submit: ReactNode;
}

/** What agent it is, whether it is kept, the way back and forth, and what is wrong. */
export function Header({ agent, saved, onSave, onProblems, onRun, submit }: HeaderProps) {
  const { t } = useTranslation('agentBuilder');
  const { canUndo, canRedo, undo, redo, problems, announce } = useBuilder();
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return (
    <header className={classes['header']}>
      <Group gap="sm" wrap="nowrap" className={classes['heading'] ?? ''}>
        <Tooltip label={t('back')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('back')}
            renderRoot={(props) => <Link {...props} to="/agents/$agentId" params={{ agentId: agent.id }} />}
          >
            <IconArrowLeft size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Title order={1} size="h5" lineClamp={1}>
          {agent.name}
        </Title>
        <div className={classes['standing']}>
          <StateBadge agent={agent} />
        </div>
        <SavedMark state={saved} onRetry={onSave} />
      </Group>
      <Group gap={6} wrap="nowrap">
        <Tooltip label={t('undo')}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('undo')}
            disabled={!canUndo}
            onClick={() => {
              undo();
              announce(t('said.undone'));
            }}
          >
            <IconArrowBackUp size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('redo')}>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('redo')}
            disabled={!canRedo}
            onClick={() => {
              redo();
              announce(t('said.redone'));
            }}
          >
            <IconArrowForwardUp size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Group gap={6} className={classes['acts'] ?? ''}>
        <Button
          size="xs"
          variant="default"
          leftSection={
            problems.length === 0 ? (
              <IconCircleCheck size={16} aria-hidden />
            ) : (
              <IconAlertTriangle
                size={16}
                aria-hidden
                className={classes['sign'] ?? ''}
                data-severity={errors > 0 ? 'error' : 'warning'}
              />
            )
          }
          onClick={onProblems}
        >
          {problems.length === 0 ? t('no_problems') : t('problem_count', { count: problems.length })}
        </Button>
        <Button size="xs" variant="default" leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={onRun}>
          {t('try_it')}
        </Button>
        {submit}
      </Group>
    </header>
  );
}
