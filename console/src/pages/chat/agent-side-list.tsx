import type { AgentChat } from '@ai-studio/contract/console/agents.ts';
import { ActionIcon, Button, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { agentChatsQuery, deployedAgentsQuery, removeSession } from './agents.ts';
import classes from './chat.module.css';
import { Entries } from './entries.tsx';
import { SideSwitch } from './side-switch.tsx';

interface EntryProps {
  readonly chat: AgentChat;
  readonly isOpen: boolean;
  readonly onOpen: (() => void) | undefined;
}

function Entry({ chat, isOpen, onOpen }: EntryProps) {
  const { t } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [removing, setRemoving] = useState(false);
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
        <Text size="sm" truncate>
          {title}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {agent}
        </Text>
      </Link>
      <ActionIcon
        variant="subtle"
        color="gray"
        mr={4}
        aria-label={t('remove_of', { title })}
        onClick={() => setRemoving(true)}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
      <ConfirmDialog
        opened={removing}
        title={t('remove')}
        confirmLabel={common('remove')}
        onClose={() => setRemoving(false)}
        onConfirm={async () => {
          await removeSession(slug, id);
          if (isOpen) await navigate({ to: '/chat/agents/$slug', params: { slug } });
          await queries.invalidateQueries({ queryKey: ['agent-chats'] });
        }}
      >
        {t('remove_hint', { title })}
      </ConfirmDialog>
    </li>
  );
}

interface SideListProps {
  readonly slug: string;
  /** Number of the session that is open. */
  readonly openId: string | null;
  /** A session is opened, or a new one begun. */
  readonly onOpen?: () => void;
}

/** The agents that are deployed, and what the person has said to them. */
export function AgentSideList({ slug, openId, onOpen }: SideListProps) {
  const { t } = useTranslation('chat');
  const navigate = useNavigate();
  const { data: agents } = useQuery(deployedAgentsQuery);
  const query = useInfiniteQuery(agentChatsQuery);
  const chats = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const known = agents?.items.some((one) => one.slug === slug) ?? false;
  return (
    <nav className={classes['side']} aria-label={t('agent_chats')}>
      <Stack gap="xs" p="sm">
        <SideSwitch current="agents" />
        <Select
          size="xs"
          searchable
          allowDeselect={false}
          aria-label={t('agent')}
          data={agents?.items.map((one) => ({ value: one.slug, label: one.name })) ?? []}
          value={known ? slug : null}
          onChange={(chosen) => {
            if (chosen === null) return;
            onOpen?.();
            void navigate({ to: '/chat/agents/$slug', params: { slug: chosen } });
          }}
        />
        {known ? (
          <Button
            renderRoot={(props) => <Link to="/chat/agents/$slug" params={{ slug }} {...props} />}
            onClick={onOpen}
            variant="light"
            leftSection={<IconPlus size={16} aria-hidden />}
            justify="flex-start"
          >
            {t('new')}
          </Button>
        ) : null}
      </Stack>
      <Entries query={query} none={t('none')}>
        {chats.map((chat) => (
          <Entry key={chat.id} chat={chat} isOpen={chat.slug === slug && String(chat.id) === openId} onOpen={onOpen} />
        ))}
      </Entries>
    </nav>
  );
}
