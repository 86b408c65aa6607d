import type { PromptSummary } from '@ai-studio/contract/console/prompts.ts';
import { ActionIcon, Badge, Button, Group, Menu, Text } from '@mantine/core';
import { IconCopy, IconDots, IconHistory, IconMessage, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../parts/relative-time.tsx';
import classes from './prompts.module.css';

/** What can be done with a prompt. */
export type PromptAct = 'edit' | 'copy' | 'versions' | 'remove';

interface RowProps {
  readonly prompt: PromptSummary;
  readonly onAct: (act: PromptAct) => void;
}

/** A prompt of the list. */
export function PromptRow({ prompt, onAct }: RowProps) {
  const { t } = useTranslation('promptsPage');
  const { t: common } = useTranslation('common');
  const { id, name, description, visibility, variables, version, owner, own, changes } = prompt;
  return (
    <li className={classes['row']}>
      <div className={classes['words']}>
        <Group gap="xs">
          <Text fw={600} size="sm">
            {name}
          </Text>
          {visibility === 'tenant' ? (
            <Badge variant="light" color="gray" tt="none" leftSection={<IconUsers size={12} aria-hidden />}>
              {own ? t('is_shared') : (owner ?? t('unknown_author'))}
            </Badge>
          ) : null}
        </Group>
        {description === '' ? null : (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        )}
        <Text size="xs" c="dimmed" mt={2}>
          {[
            t('version', { version }),
            ...(variables.length === 0 ? [] : [`${t('variables')}: ${variables.join(', ')}`]),
          ].join(' · ')}{' '}
          · <RelativeTime at={prompt.updated_at} />
        </Text>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconMessage size={14} aria-hidden />}
        aria-label={t('use_of', { name })}
        renderRoot={(props) => <Link to="/chat" state={{ prompt: id }} {...props} />}
      >
        {t('use')}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('more', { name })}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {changes ? (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onAct('edit')}>
              {common('edit')}
            </Menu.Item>
          ) : null}
          <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => onAct('copy')}>
            {t('copy')}
          </Menu.Item>
          <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => onAct('versions')}>
            {t('versions')}
          </Menu.Item>
          {changes ? (
            <>
              <Menu.Divider />
              <Menu.Item
                color="var(--mantine-color-error)"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => onAct('remove')}
              >
                {common('remove')}
              </Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}
