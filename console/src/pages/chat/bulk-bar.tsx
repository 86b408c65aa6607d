import { ActionIcon, Checkbox, Group, Menu, Stack, Text, Tooltip } from '@mantine/core';
import {
  type Icon,
  IconDownload,
  IconFolder,
  IconFolderOff,
  IconFolderPlus,
  IconPin,
  IconPinnedOff,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forEachConcurrently } from '../../api/for-each-concurrently.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import classes from './chat.module.css';
import type { FolderAct } from './folder-dialogs.tsx';
import { foldersQuery } from './folders.ts';
import { changeTalk, readTalksAgain, talkFormats, type TalkFormat } from './talk-calls.ts';
import type { Talk } from './talks.ts';
import type { Selection } from './use-selection.ts';

interface ActProps extends Omit<ComponentProps<typeof ActionIcon<'button'>>, 'children'> {
  readonly icon: Icon;
  readonly label: string;
}

/** What is done with all of them: a picture, as the list is narrow. */
function Act({ icon: Picture, label, ...props }: ActProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={32} variant="subtle" color="gray" aria-label={label} {...props}>
        <Picture size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

interface BulkBarProps {
  readonly selection: Selection;
  /** The part of the page that holds the boxes. */
  readonly list: RefObject<Element | null>;
  /** How many are shown. */
  readonly shown: number;
  readonly onFolder: (act: FolderAct) => void;
  readonly onRemove: (talks: readonly Talk[]) => void;
}

/** What can be done with the conversations and talks with agents that are selected. */
export function BulkBar({ selection, list, shown, onFolder, onRemove }: BulkBarProps) {
  const { t } = useTranslation('chatTools');
  const { t: chat, i18n } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  const folders = useQuery(foldersQuery).data?.items ?? [];
  const [isExporting, setExporting] = useState(false);
  const talks = [...selection.chosen.values()];
  const count = talks.length;
  const { mutate: change, isPending } = useMutation({
    mutationFn: (wanted: { readonly folder?: string | null; readonly pinned?: boolean }) =>
      forEachConcurrently(talks, (talk) => changeTalk(talk, wanted)),
    onSuccess(_, { folder, pinned }) {
      const said = folder === undefined ? (pinned === true ? 'pinned' : 'unpinned') : 'moved';
      done(t(`bulk.${said}`, { count }));
      selection.end();
    },
    onError: failed,
    onSettled: () => readTalksAgain(queries),
  });
  const save = async (format: TalkFormat) => {
    setExporting(true);
    try {
      const { exportSeveral } = await import('./export-several.ts');
      const name = t('bulk.file', { count });
      await exportSeveral({ talks, format, language: i18n.language, untitled: chat('untitled'), name });
    } catch (error) {
      failed(error);
    } finally {
      setExporting(false);
    }
  };
  if (!useLazyNamespace('chatTools')) return null;
  const pins = talks.some(({ pinned }) => !pinned);
  return (
    <Stack gap={4} role="toolbar" aria-label={t('bulk.acts')}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs" wrap="nowrap" ml={10}>
          <Checkbox
            size="xs"
            aria-label={t('bulk.all')}
            checked={count > 0 && count >= shown}
            indeterminate={count > 0 && count < shown}
            onChange={({ currentTarget }) => selection.all(list.current, currentTarget.checked)}
          />
          <Text size="sm" role="status">
            {count === 0 ? t('bulk.none') : t('bulk.selected', { count })}
          </Text>
        </Group>
        <Act icon={IconX} label={t('bulk.end')} onClick={selection.end} />
      </Group>
      <Group gap={4}>
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Act icon={IconFolder} label={chat('move')} disabled={count === 0} loading={isPending} />
          </Menu.Target>
          <Menu.Dropdown mah="20rem" className={classes['menu'] ?? ''}>
            {folders.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => change({ folder: id })}>
                {name}
              </Menu.Item>
            ))}
            {folders.length === 0 ? null : <Menu.Divider />}
            {talks.some(({ folder }) => folder !== null) ? (
              <Menu.Item leftSection={<IconFolderOff size={16} aria-hidden />} onClick={() => change({ folder: null })}>
                {chat('move_out')}
              </Menu.Item>
            ) : null}
            <Menu.Item
              leftSection={<IconFolderPlus size={16} aria-hidden />}
              onClick={() => {
                onFolder({ kind: 'make', talks });
                selection.end();
              }}
            >
              {chat('folder_new')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Act
          icon={pins ? IconPin : IconPinnedOff}
          label={chat(pins ? 'pin' : 'unpin')}
          disabled={count === 0}
          onClick={() => change({ pinned: pins })}
        />
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Act icon={IconDownload} label={t('bulk.export')} disabled={count === 0} loading={isExporting} />
          </Menu.Target>
          <Menu.Dropdown>
            {talkFormats.map((format) => (
              <Menu.Item key={format} onClick={() => void save(format)}>
                {chat(`export.${format}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Act
          icon={IconTrash}
          label={common('remove')}
          color="red"
          disabled={count === 0}
          onClick={() => {
            onRemove(talks);
            selection.end();
          }}
        />
      </Group>
    </Stack>
  );
}
