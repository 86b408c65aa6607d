import { ActionIcon, Menu } from '@mantine/core';
import { IconBlockquote, IconBooks, IconCamera, IconPaperclip, IconPlus, IconRobot } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { hasTouchKeyboard } from '../../parts/composer/send-key.ts';
import { ACCEPTED } from '../../parts/document-files.ts';
import type { Sign } from './use-options.ts';

/** What recordings are called; where a model writes them down. */
const SOUND = 'audio/*,.mp3,.wav,.m4a,.flac,.ogg,.webm,.aac,.opus';

interface AddMenuProps {
  readonly takesSound: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onSign: (sign: Sign) => void;
}

/** What can be added to a message: files, a photo, collections; and who else can be asked. */
export function AddMenu({ takesSound, onFiles, onSign }: AddMenuProps) {
  const { t } = useTranslation('chat');
  const files = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const take = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    onFiles([...(currentTarget.files ?? [])]);
    // The same file may be chosen again.
    currentTarget.value = '';
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={takesSound ? `${ACCEPTED},${SOUND}` : ACCEPTED}
        onChange={take}
        data-testid="chat-files"
      />
      <input ref={camera} type="file" hidden accept="image/*" capture="environment" onChange={take} />
      <Menu position="top-start" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon size={36} radius="xl" variant="subtle" color="gray" aria-label={t('add')}>
            <IconPlus size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPaperclip size={16} aria-hidden />} onClick={() => files.current?.click()}>
            {t('add_files')}
          </Menu.Item>
          {hasTouchKeyboard() ? (
            <Menu.Item leftSection={<IconCamera size={16} aria-hidden />} onClick={() => camera.current?.click()}>
              {t('add_photo')}
            </Menu.Item>
          ) : null}
          <Menu.Item
            leftSection={<IconBlockquote size={16} aria-hidden />}
            rightSection="/"
            onClick={() => onSign('/')}
          >
            {t('add_prompt')}
          </Menu.Item>
          <Menu.Item leftSection={<IconBooks size={16} aria-hidden />} rightSection="#" onClick={() => onSign('#')}>
            {t('add_collection')}
          </Menu.Item>
          <Menu.Item leftSection={<IconRobot size={16} aria-hidden />} rightSection="@" onClick={() => onSign('@')}>
            {t('ask_agent')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
