import { ActionIcon, Button, Group, Stack, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFolderPlus, IconPlus, IconSearch, IconSquareCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { agentSessionQuery } from './agents.ts';
import classes from './chat.module.css';
import { ChoosableEntry } from './choosable-entry.tsx';
import { conversationQuery } from './conversations.ts';
import { type DateGroup, dateGroup } from './date-groups.ts';
import { Entries } from './entries.tsx';
import { type FolderAct, FolderDialog } from './folder-dialogs.tsx';
import { FolderGroup } from './folder-group.tsx';
import { foldersQuery } from './folders.ts';
import { TalkEntry } from './talk-entry.tsx';
import { type Talk, talkKey } from './talks.ts';
import { useRemoval } from './use-removal.ts';
import { useSelection } from './use-selection.ts';
import { usePinned, useTalks } from './use-talks.ts';

/** Fetched once somebody selects several. */
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }));

interface SideListProps {
  /** Id of the conversation, or number of the session with an agent. */
  readonly openId: string | null;
  /** A conversation is opened, or a new one begun. */
  readonly onOpen?: () => void;
}

/** The person's conversations and talks with agents: searched, opened, renamed, moved, deleted, taken along; one, or several at a time. */
export function SideList({ openId, onOpen }: SideListProps) {
  const { t } = useTranslation('chat');
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), 250);
  const query = useTalks(wanted);
  const searching = wanted !== '';
  const { isThere, remove } = useRemoval(openId);
  const pinned = usePinned().filter(isThere);
  const talks = query.talks.filter(isThere);
  const [now] = useState(() => new Date());
  const folders = useQuery(foldersQuery).data?.items ?? [];
  const [act, setAct] = useState<FolderAct | null>(null);
  const { slug } = useParams({ strict: false });
  const withModel = useQuery({ ...conversationQuery(openId ?? ''), enabled: false }).data;
  const withAgent = useQuery({ ...agentSessionQuery(slug ?? '', openId ?? ''), enabled: false }).data;
  const openFolder = slug === undefined ? withModel?.folder : withAgent?.folder;
  const list = useRef<HTMLElement>(null);
  const { selection, begin } = useSelection(list);
  const selects = selection !== null;
  const selected = useRef(false);
  /** Where the keyboard goes on: among the boxes, and back at the button that began it. */
  useEffect(() => {
    if (selects === selected.current) return;
    selected.current = selects;
    const places = selects ? ['input[data-conversation]:checked', 'input[data-conversation]'] : ['[data-selects]'];
    const place = places.map((one) => list.current?.querySelector<HTMLElement>(one)).find((one) => one != null);
    place?.focus();
  }, [selects]);
  const entryOf = (talk: Talk) => {
    if (!isThere(talk)) return null;
    const key = talkKey(talk);
    if (selection !== null) return <ChoosableEntry key={key} talk={talk} selection={selection} />;
    return (
      <TalkEntry
        key={key}
        talk={talk}
        isOpen={key === openId}
        onOpen={onOpen}
        onFolder={setAct}
        onSelect={() => begin([talk])}
        onRemove={() => remove([talk])}
      />
    );
  };
  const groupOf = (group: DateGroup | 'pinned' | 'folders') => (
    <li key={group} className={classes['group']}>
      {t(`groups.${group}`)}
    </li>
  );
  const rows = searching
    ? talks.map(entryOf)
    : [
        ...(pinned.length === 0 ? [] : [groupOf('pinned'), ...pinned.map(entryOf)]),
        ...(folders.length === 0 ? [] : [groupOf('folders')]),
        ...folders.map((folder) => (
          <FolderGroup
            key={folder.id}
            folder={folder}
            holdsOpen={openFolder === folder.id}
            entryOf={entryOf}
            onAct={setAct}
          />
        )),
        ...talks.flatMap((talk, at) => {
          const group = dateGroup(talk.updated_at, now);
          const before = talks[at - 1];
          const isFirst = before === undefined || dateGroup(before.updated_at, now) !== group;
          return isFirst ? [groupOf(group), entryOf(talk)] : [entryOf(talk)];
        }),
      ];
  return (
    // Keys of the boxes within.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <nav ref={list} className={classes['side']} aria-label={t('conversations')} onKeyDown={selection?.onKey}>
      <Stack gap="xs" p="sm">
        {selection === null ? null : (
          <Suspense>
            <BulkBar
              selection={selection}
              list={list}
              shown={talks.length + (searching ? 0 : pinned.length)}
              onFolder={setAct}
              onRemove={remove}
            />
          </Suspense>
        )}
        <Group gap={6} wrap="nowrap" display={selects ? 'none' : 'flex'}>
          <Button
            component={Link}
            to="/chat"
            onClick={onOpen}
            variant="light"
            leftSection={<IconPlus size={16} aria-hidden />}
            justify="flex-start"
            flex={1}
            miw={0}
            px="xs"
          >
            {t('new')}
          </Button>
          <Tooltip label={t('folder_new')}>
            <ActionIcon
              size={36}
              variant="subtle"
              color="gray"
              aria-label={t('folder_new')}
              onClick={() => setAct({ kind: 'make', talks: [] })}
            >
              <IconFolderPlus size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('select')}>
            <ActionIcon
              size={36}
              variant="subtle"
              color="gray"
              aria-label={t('select')}
              data-selects
              onClick={() => begin([])}
            >
              <IconSquareCheck size={18} stroke={1.6} aria-hidden />
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
        isEmpty={talks.length + (searching ? 0 : pinned.length + folders.length) === 0}
        none={t(searching ? 'none_found' : 'none')}
      >
        {rows}
      </Entries>
      {act === null ? null : <FolderDialog act={act} onClose={() => setAct(null)} />}
    </nav>
  );
}
