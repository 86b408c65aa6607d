import type { PromptSummary } from '@ai-studio/contract/console/prompts.ts';
import { Badge, Button, Checkbox, Group, Menu, Text } from '@mantine/core';
import { IconCopy, IconHistory, IconLock, IconMessage, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import classes from './prompts.module.css';

/** What can be done with a prompt. */
export type PromptAct = 'edit' | 'copy' | 'versions' | 'withdraw' | 'remove';

interface RowProps {
  readonly prompt: PromptSummary;
  readonly onAct: (act: PromptAct) => void;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

/** A prompt of the list. */
export function PromptRow({ prompt, onAct, selected, onSelect }: RowProps) {
  const { t } = useTranslation('promptsPage');
  const { t: common } = useTranslation('common');
  const { t: parts } = useTranslation('parts');
  const { id, name, description, visibility, variables, version, owner, own, changes, removes } = prompt;
  return (
    <li className={classes['row']}>
      <Checkbox
        size="xs"
        aria-label={parts('select_row', { name })}
        checked={selected}
        // What one may not delete stands in line with the others.
        disabled={!removes}
        onChange={onSelect}
      />
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
      <RowMenu label={t('more', { name })} size={32}>
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
        {own && visibility === 'tenant' && !changes ? (
          <Menu.Item leftSection={<IconLock size={16} aria-hidden />} onClick={() => onAct('withdraw')}>
            {t('withdraw')}
          </Menu.Item>
        ) : null}
        {removes ? (
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
      </RowMenu>
    </li>
  );
}
