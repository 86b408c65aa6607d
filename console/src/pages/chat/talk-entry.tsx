import { Menu, Text } from '@mantine/core';
import {
  IconDownload,
  IconFolder,
  IconFolderOff,
  IconFolderPlus,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconSquareCheck,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NameDialog } from '../../parts/name-dialog.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { agentSessionQuery } from './agents.ts';
import classes from './chat.module.css';
import type { FolderAct } from './folder-dialogs.tsx';
import { foldersQuery } from './folders.ts';
import { changeTalk, exportAddress, readTalksAgain, talkFormats } from './talk-calls.ts';
import { TalkMark } from './talk-mark.tsx';
import { isWithAgent, type Talk, talkKey } from './talks.ts';

interface EntryProps {
  readonly talk: Talk;
  readonly isOpen: boolean;
  readonly onOpen: (() => void) | undefined;
  readonly onFolder: (act: FolderAct) => void;
  /** It is the first of several that are selected. */
  readonly onSelect: () => void;
  readonly onRemove: () => void;
}

/** Gives a talk another title. */
function Rename({ talk, onClose }: { readonly talk: Talk; readonly onClose: () => void }) {
  const { t } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  return (
    <NameDialog
      opened
      title={t('rename')}
      label={t('name')}
      name={talk.title}
      maxLength={200}
      saveLabel={common('save')}
      onClose={onClose}
      onSave={async (title) => {
        await changeTalk(talk, { title });
        await Promise.all([
          readTalksAgain(queries),
          queries.invalidateQueries({
            queryKey: isWithAgent(talk)
              ? agentSessionQuery(talk.slug, talkKey(talk)).queryKey
              : ['conversation', talk.id],
          }),
        ]);
      }}
    />
  );
}

/** A talk as a link: its title, the agent that it is with, and what was found in it. */
function TalkLink({ talk, isOpen, onOpen }: Pick<EntryProps, 'talk' | 'isOpen' | 'onOpen'>) {
  const { t } = useTranslation('chat');
  const line = (text: string) => (
    <Text size="xs" c="dimmed" truncate>
      {text}
    </Text>
  );
  const props = {
    className: classes['open'],
    onClick: onOpen,
    'aria-current': isOpen ? ('page' as const) : undefined,
    children: (
      <>
        <TalkMark talk={talk} />
        <div className={classes['titles']}>
          <Text size="sm" truncate>
            {talk.title || t('untitled')}
          </Text>
          {isWithAgent(talk) ? line(talk.agent_name) : null}
          {talk.snippet === null ? null : line(talk.snippet)}
        </div>
      </>
    ),
  };
  return isWithAgent(talk) ? (
    <Link to="/chat/agents/$slug/$sessionId" params={{ slug: talk.slug, sessionId: talkKey(talk) }} {...props} />
  ) : (
    <Link to="/chat/$conversationId" params={{ conversationId: talk.id }} title={talk.model} {...props} />
  );
}

/** Where a talk may be moved to. */
function MoveMenu({ talk, onFolder }: Pick<EntryProps, 'talk' | 'onFolder'>) {
  const { t } = useTranslation('chat');
  const queries = useQueryClient();
  const folders = useQuery(foldersQuery).data?.items ?? [];
  const { mutate: move } = useMutation({
    mutationFn: (folder: string | null) => changeTalk(talk, { folder }),
    onSettled: () => readTalksAgain(queries),
  });
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconFolder size={16} aria-hidden />}>{t('move')}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown mah="20rem" className={classes['menu'] ?? ''}>
        {folders.map(({ id, name }) => (
          <Menu.Item key={id} disabled={id === talk.folder} onClick={() => move(id)}>
            {name}
          </Menu.Item>
        ))}
        {folders.length === 0 ? null : <Menu.Divider />}
        {talk.folder === null ? null : (
          <Menu.Item leftSection={<IconFolderOff size={16} aria-hidden />} onClick={() => move(null)}>
            {t('move_out')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconFolderPlus size={16} aria-hidden />}
          onClick={() => onFolder({ kind: 'make', talks: [talk] })}
        >
          {t('folder_new')}
        </Menu.Item>
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}

/** A conversation or a talk with an agent in the list at the side, and what can be done with it. */
export function TalkEntry({ talk, isOpen, onOpen, onFolder, onSelect, onRemove }: EntryProps) {
  const { t, i18n } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const [isRenamed, setRenamed] = useState(false);
  const title = talk.title || t('untitled');
  const queries = useQueryClient();
  const { mutate: pin } = useMutation({
    mutationFn: (pinned: boolean) => changeTalk(talk, { pinned }),
    onSettled: () => readTalksAgain(queries),
  });
  return (
    <li className={classes['entry']} data-open={isOpen}>
      <TalkLink talk={talk} isOpen={isOpen} onOpen={onOpen} />
      <RowMenu label={t('more', { title })} mr={4}>
        <Menu.Item
          leftSection={talk.pinned ? <IconPinnedOff size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
          onClick={() => pin(!talk.pinned)}
        >
          {t(talk.pinned ? 'unpin' : 'pin')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setRenamed(true)}>
          {common('rename')}
        </Menu.Item>
        <MoveMenu talk={talk} onFolder={onFolder} />
        <Menu.Item leftSection={<IconSquareCheck size={16} aria-hidden />} onClick={onSelect}>
          {t('select')}
        </Menu.Item>
        {talkFormats.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={exportAddress(talk, format, i18n.language)}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t(`export.${format}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          color="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onRemove}
        >
          {common('remove')}
        </Menu.Item>
      </RowMenu>
      {isRenamed ? <Rename talk={talk} onClose={() => setRenamed(false)} /> : null}
    </li>
  );
}
