import type { ConversationSummary } from '@ai-studio/contract/console/conversations.ts';
import { ActionIcon, Button, Group, Stack, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFolderPlus, IconPlus, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './chat.module.css';
import { conversationQuery, listQuery, pinnedQuery } from './conversations.ts';
import { type DateGroup, dateGroup } from './date-groups.ts';
import { Entries } from './entries.tsx';
import { type FolderAct, FolderDialog } from './folder-dialogs.tsx';
import { FolderGroup } from './folder-group.tsx';
import { foldersQuery } from './folders.ts';
import { ListEntry } from './list-entry.tsx';
import { SideSwitch } from './side-switch.tsx';

interface SideListProps {
  readonly openId: string | null;
  /** A conversation is opened, or a new one begun. */
  readonly onOpen?: () => void;
}

/** The person's conversations: searched, opened, renamed, deleted, taken along. */
export function SideList({ openId, onOpen }: SideListProps) {
  const { t } = useTranslation('chat');
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 250);
  const query = useInfiniteQuery(listQuery(wanted));
  const searching = wanted !== '';
  const pinned = useQuery(pinnedQuery).data?.items ?? [];
  const heads = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const [now] = useState(() => new Date());
  const folders = useQuery(foldersQuery).data?.items ?? [];
  const [act, setAct] = useState<FolderAct | null>(null);
  const open = useQuery({ ...conversationQuery(openId ?? ''), enabled: false }).data;
  const entryOf = (head: ConversationSummary) => (
    <ListEntry key={head.id} head={head} isOpen={head.id === openId} onOpen={onOpen} onFolder={setAct} />
  );
  const groupOf = (group: DateGroup | 'pinned' | 'folders') => (
    <li key={group} className={classes['group']}>
      {t(`groups.${group}`)}
    </li>
  );
  const rows = searching
    ? heads.map(entryOf)
    : [
        ...(pinned.length === 0 ? [] : [groupOf('pinned'), ...pinned.map(entryOf)]),
        ...(folders.length === 0 ? [] : [groupOf('folders')]),
        ...folders.map((folder) => (
          <FolderGroup
            key={folder.id}
            folder={folder}
            holdsOpen={open?.folder === folder.id}
            entryOf={entryOf}
            onAct={setAct}
          />
        )),
        ...heads.flatMap((head, at) => {
          const group = dateGroup(head.updated_at, now);
          const before = heads[at - 1];
          const isFirst = before === undefined || dateGroup(before.updated_at, now) !== group;
          return isFirst ? [groupOf(group), entryOf(head)] : [entryOf(head)];
        }),
      ];
  return (
    <nav className={classes['side']} aria-label={t('conversations')}>
      <Stack gap="xs" p="sm">
        <SideSwitch current="models" />
        <Group gap={6} wrap="nowrap">
          <Button
            component={Link}
            to="/chat"
            onClick={onOpen}
            variant="light"
            leftSection={<IconPlus size={16} aria-hidden />}
            justify="flex-start"
            flex={1}
          >
            {t('new')}
          </Button>
          <Tooltip label={t('folder_new')}>
            <ActionIcon
              size={36}
              variant="subtle"
              color="gray"
              aria-label={t('folder_new')}
              onClick={() => setAct({ kind: 'make', head: null })}
            >
              <IconFolderPlus size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
        <TextInput
          size="xs"
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Stack>
      <Entries
        query={query}
        isEmpty={heads.length + (searching ? 0 : pinned.length + folders.length) === 0}
        none={t(searching ? 'none_found' : 'none')}
      >
        {rows}
      </Entries>
      {act === null ? null : <FolderDialog act={act} onClose={() => setAct(null)} />}
    </nav>
  );
}
