import type { ConversationSummary } from '@ai-studio/contract/console/conversations.ts';
import { Menu, Modal, Text, TextInput } from '@mantine/core';
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
import { DialogForm } from '../../parts/dialog-form.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import classes from './chat.module.css';
import { exportAddress, exportFormats, updateConversation } from './conversations.ts';
import type { FolderAct } from './folder-dialogs.tsx';
import { foldersQuery } from './folders.ts';
import { TalkMark } from './talk-mark.tsx';

interface DialogProps {
  readonly head: ConversationSummary;
  readonly onClose: () => void;
}

function Rename({ head, onClose }: DialogProps) {
  const { t } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const [title, setTitle] = useState(head.title);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => updateConversation(head.id, { title: title.trim() }),
    async onSuccess() {
      onClose();
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['conversations'] }),
        queries.invalidateQueries({ queryKey: ['conversation', head.id] }),
      ]);
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('rename')} centered>
      <DialogForm
        error={error}
        saveLabel={common('save')}
        saving={isPending}
        disabled={title.trim() === ''}
        onSave={() => mutate()}
        onClose={onClose}
      >
        <TextInput
          label={t('name')}
          value={title}
          maxLength={200}
          required
          data-autofocus
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}

interface EntryProps {
  readonly head: ConversationSummary;
  readonly isOpen: boolean;
  readonly onOpen: (() => void) | undefined;
  readonly onFolder: (act: FolderAct) => void;
  /** It is the first of several that are selected. */
  readonly onSelect: () => void;
  readonly onRemove: () => void;
}

/** Where a conversation may be moved to. */
function MoveMenu({ head, onFolder }: Pick<EntryProps, 'head' | 'onFolder'>) {
  const { t } = useTranslation('chat');
  const queries = useQueryClient();
  const folders = useQuery(foldersQuery).data?.items ?? [];
  const { mutate: move } = useMutation({
    mutationFn: (folder: string | null) => updateConversation(head.id, { folder }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['conversations'] }),
  });
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconFolder size={16} aria-hidden />}>{t('move')}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown mah="20rem" className={classes['menu'] ?? ''}>
        {folders.map(({ id, name }) => (
          <Menu.Item key={id} disabled={id === head.folder} onClick={() => move(id)}>
            {name}
          </Menu.Item>
        ))}
        {folders.length === 0 ? null : <Menu.Divider />}
        {head.folder === null ? null : (
          <Menu.Item leftSection={<IconFolderOff size={16} aria-hidden />} onClick={() => move(null)}>
            {t('move_out')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconFolderPlus size={16} aria-hidden />}
          onClick={() => onFolder({ kind: 'make', heads: [head] })}
        >
          {t('folder_new')}
        </Menu.Item>
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}

/** A conversation in the list at the side, and what can be done with it. */
export function ListEntry({ head, isOpen, onOpen, onFolder, onSelect, onRemove }: EntryProps) {
  const { t, i18n } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const [isRenamed, setRenamed] = useState(false);
  const title = head.title || t('untitled');
  const queries = useQueryClient();
  const { mutate: pin } = useMutation({
    mutationFn: (pinned: boolean) => updateConversation(head.id, { pinned }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['conversations'] }),
  });
  return (
    <li className={classes['entry']} data-open={isOpen}>
      <Link
        to="/chat/$conversationId"
        params={{ conversationId: head.id }}
        className={classes['open']}
        onClick={onOpen}
        aria-current={isOpen ? 'page' : undefined}
        title={head.model}
      >
        <TalkMark talk={head} />
        <div className={classes['titles']}>
          <Text size="sm" truncate>
            {title}
          </Text>
          {head.snippet === null ? null : (
            <Text size="xs" c="dimmed" truncate>
              {head.snippet}
            </Text>
          )}
        </div>
      </Link>
      <RowMenu label={t('more', { title })} mr={4}>
        <Menu.Item
          leftSection={head.pinned ? <IconPinnedOff size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
          onClick={() => pin(!head.pinned)}
        >
          {t(head.pinned ? 'unpin' : 'pin')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setRenamed(true)}>
          {common('rename')}
        </Menu.Item>
        <MoveMenu head={head} onFolder={onFolder} />
        <Menu.Item leftSection={<IconSquareCheck size={16} aria-hidden />} onClick={onSelect}>
          {t('select')}
        </Menu.Item>
        {exportFormats.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={exportAddress(head.id, format, i18n.language)}
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
      {isRenamed ? <Rename head={head} onClose={() => setRenamed(false)} /> : null}
    </li>
  );
}
