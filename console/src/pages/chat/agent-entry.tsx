import type { AgentChat } from '@ai-studio/contract/console/agents.ts';
import { Menu, Text } from '@mantine/core';
import { IconDownload, IconSquareCheck, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sessionExportAddress } from '../../api/export-session.ts';
import { RowMenu } from '../../parts/row-menu.tsx';
import { deployedPath } from './agents.ts';
import classes from './chat.module.css';
import { TalkMark } from './talk-mark.tsx';

interface EntryProps {
  readonly chat: AgentChat;
  readonly isOpen: boolean;
  readonly onOpen: (() => void) | undefined;
  /** It is the first of several that are selected. */
  readonly onSelect: () => void;
  readonly onRemove: () => void;
}

/** A talk with an agent in the list at the side, and what can be done with it. */
export function AgentEntry({ chat, isOpen, onOpen, onSelect, onRemove }: EntryProps) {
  const { t, i18n } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const { id, slug, agent_name: agent } = chat;
  const title = chat.title || t('untitled');
  return (
    <li className={classes['entry']} data-open={isOpen}>
      <Link
        to="/chat/agents/$slug/$sessionId"
        params={{ slug, sessionId: String(id) }}
        className={classes['open']}
        onClick={onOpen}
        aria-current={isOpen ? 'page' : undefined}
      >
        <TalkMark talk={chat} />
        <div className={classes['titles']}>
          <Text size="sm" truncate>
            {title}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {agent}
          </Text>
        </div>
      </Link>
      <RowMenu label={t('more', { title })} mr={4}>
        <Menu.Item leftSection={<IconSquareCheck size={16} aria-hidden />} onClick={onSelect}>
          {t('select')}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={sessionExportAddress(deployedPath(slug), id, i18n.language)}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('export.md')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onRemove}
        >
          {common('remove')}
        </Menu.Item>
      </RowMenu>
    </li>
  );
}
