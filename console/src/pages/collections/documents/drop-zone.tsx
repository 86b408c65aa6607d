import { Button, Group, Stack, Text } from '@mantine/core';
import { IconFileUpload, IconFolderUp } from '@tabler/icons-react';
import { type ChangeEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ACCEPTED } from '../../../parts/document-files.ts';
import { useDropArea } from '../../../parts/use-drop-area.ts';
import { useFormat } from '../../../parts/use-format.ts';
import classes from '../collections.module.css';
import { chosenFiles, entriesOf, filesOf, type DroppedFile } from './dropped.ts';

interface DropZoneProps {
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  readonly onFiles: (files: readonly DroppedFile[]) => void;
}

/** Takes files and folders: dropped, or chosen. */
export function DropZone({ maxBytes, onFiles }: DropZoneProps) {
  const { t } = useTranslation('collectionsPage');
  const { bytes } = useFormat();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const { over, handlers } = useDropArea((dropped) => {
    const entries = entriesOf(dropped);
    if (entries.length === 0) onFiles(chosenFiles(dropped.files));
    else void filesOf(entries).then(onFiles);
  });
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles(chosenFiles(event.currentTarget.files ?? []));
    // The same file may be chosen again.
    event.currentTarget.value = '';
  };
  return (
    // Files are dropped by a pointer; the keyboard has the buttons within.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={classes['drop']} data-over={over} aria-label={t('drop.area')} {...handlers}>
      <Group justify="space-between" gap="md">
        <Stack gap={2}>
          <Text fw={600}>{t(over ? 'drop.release' : 'drop.title')}</Text>
          <Text size="sm" c="dimmed">
            {t('drop.hint', { bytes: bytes(maxBytes) })}
          </Text>
        </Stack>
        <Group gap="sm">
          <input
            ref={files}
            type="file"
            multiple
            accept={ACCEPTED}
            hidden
            data-testid="collection-files"
            onChange={choose}
          />
          <input
            ref={folder}
            type="file"
            multiple
            hidden
            data-testid="collection-folder"
            onChange={choose}
            {...{ webkitdirectory: '' }}
          />
          <Button leftSection={<IconFileUpload size={18} aria-hidden />} onClick={() => files.current?.click()}>
            {t('drop.files')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconFolderUp size={18} aria-hidden />}
            onClick={() => folder.current?.click()}
          >
            {t('drop.folder')}
          </Button>
        </Group>
      </Group>
    </section>
  );
}
