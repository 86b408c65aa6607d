import type { ConversationFolder } from '@ai-studio/contract/console/conversations.ts';
import { Button, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconFolder, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingRows } from '../../parts/loading.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import classes from './chat.module.css';
import type { FolderAct } from './folder-dialogs.tsx';
import type { Talk } from './talks.ts';
import { useTalks } from './use-talks.ts';

interface FolderGroupProps {
  readonly folder: ConversationFolder;
  /** Whether the talk that is open lies in it. */
  readonly holdsOpen: boolean;
  readonly entryOf: (talk: Talk) => ReactNode;
  readonly onAct: (act: FolderAct) => void;
}

function Content({ folder, entryOf }: Pick<FolderGroupProps, 'folder' | 'entryOf'>) {
  const { t } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const { talks, ...query } = useTalks('', folder.id);
  if (query.isPending) return <LoadingRows rows={1} />;
  return (
    <>
      {talks.length === 0 ? (
        <Text size="xs" c="dimmed" px={10} py={6}>
          {t('folder_empty')}
        </Text>
      ) : (
        <ul className={classes['inFolder']}>{talks.map(entryOf)}</ul>
      )}
      {query.hasNextPage ? (
        <Button size="xs" variant="subtle" fullWidth onClick={() => void query.fetchNextPage()}>
          {common('more')}
        </Button>
      ) : null}
    </>
  );
}

/** A folder in the list at the side, with its talks once it is opened. */
export function FolderGroup({ folder, holdsOpen, entryOf, onAct }: FolderGroupProps) {
  const { t } = useTranslation('chat');
  const { t: common } = useTranslation('common');
  const content = useId();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? holdsOpen;
  const { name } = folder;
  return (
    <li>
      <div className={classes['entry']}>
        <UnstyledButton
          className={classes['folder'] ?? ''}
          aria-expanded={isOpen}
          aria-controls={content}
          onClick={() => setChosen(!isOpen)}
        >
          <IconChevronRight size={14} aria-hidden className={classes['turns']} data-open={isOpen} />
          <IconFolder size={16} stroke={1.6} aria-hidden />
          <Text span size="sm" truncate>
            {name}
          </Text>
        </UnstyledButton>
        <RowMenu label={t('folder_of', { name })} mr={4}>
          <Menu.Item
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => onAct({ kind: 'rename', folder })}
          >
            {common('rename')}
          </Menu.Item>
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => onAct({ kind: 'remove', folder })}
          >
            {common('remove')}
          </Menu.Item>
        </RowMenu>
      </div>
      <div id={content} hidden={!isOpen}>
        {isOpen ? <Content folder={folder} entryOf={entryOf} /> : null}
      </div>
    </li>
  );
}
