import type { ConversationSummary } from '@ai-studio/contract/console/conversations.ts';
import { ActionIcon, Button, Menu, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconDots,
  IconDownload,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconPlus,
  IconSearch,
  IconTrash,
} from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import classes from './chat.module.css';
import { Entries } from './entries.tsx';
import { updateConversation, deleteConversation, exportAddress, listQuery, pinnedQuery } from './conversations.ts';
import { type DateGroup, dateGroup } from './date-groups.ts';
import { SideSwitch } from './side-switch.tsx';

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

function Remove({ head, onClose, isOpen }: DialogProps & { readonly isOpen: boolean }) {
  const { t } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      opened
      title={t('remove')}
      confirmLabel={common('remove')}
      onClose={onClose}
      onConfirm={async () => {
        await deleteConversation(head.id);
        if (isOpen) await navigate({ to: '/chat' });
        await queries.invalidateQueries({ queryKey: ['conversations'] });
      }}
    >
      {t('remove_hint', { title: head.title || t('untitled') })}
    </ConfirmDialog>
  );
}

interface EntryProps {
  readonly head: ConversationSummary;
  readonly isOpen: boolean;
  readonly onOpen: (() => void) | undefined;
}

function Entry({ head, isOpen, onOpen }: EntryProps) {
  const { t, i18n } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null);
  const title = head.title || t('untitled');
  const close = () => setDialog(null);
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
      >
        <Text size="sm" truncate>
          {title}
        </Text>
        {head.snippet === null ? null : (
          <Text size="xs" c="dimmed" truncate>
            {head.snippet}
          </Text>
        )}
      </Link>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" mr={4} aria-label={t('more', { title })}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={head.pinned ? <IconPinnedOff size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
            onClick={() => pin(!head.pinned)}
          >
            {t(head.pinned ? 'unpin' : 'pin')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('rename')}>
            {common('rename')}
          </Menu.Item>
          {(['md', 'json'] as const).map((format) => (
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
            onClick={() => setDialog('remove')}
          >
            {common('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'rename' ? <Rename head={head} onClose={close} /> : null}
      {dialog === 'remove' ? <Remove head={head} onClose={close} isOpen={isOpen} /> : null}
    </li>
  );
}

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
  const entryOf = (head: ConversationSummary) => (
    <Entry key={head.id} head={head} isOpen={head.id === openId} onOpen={onOpen} />
  );
  const groupOf = (group: DateGroup | 'pinned') => (
    <li key={group} className={classes['group']}>
      {t(`groups.${group}`)}
    </li>
  );
  const rows = searching
    ? heads.map(entryOf)
    : [
        ...(pinned.length === 0 ? [] : [groupOf('pinned'), ...pinned.map(entryOf)]),
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
        <Button
          component={Link}
          to="/chat"
          onClick={onOpen}
          variant="light"
          leftSection={<IconPlus size={16} aria-hidden />}
          justify="flex-start"
        >
          {t('new')}
        </Button>
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
      <Entries query={query} none={t(searching ? 'none_found' : 'none')}>
        {rows}
      </Entries>
    </nav>
  );
}
