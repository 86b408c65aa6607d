import { Button, Stack, Text, ThemeIcon } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconFileUpload } from '@tabler/icons-react';
import { type ChangeEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../parts/use-format.ts';
import { ACCEPTED } from '../../parts/document-files.ts';
import { useDropArea } from '../../parts/use-drop-area.ts';
import classes from './parser.module.css';

interface DropZoneProps {
  /** Largest file, in bytes; null until it is known. */
  readonly maxBytes: number | null;
  readonly onFiles: (files: readonly File[]) => void;
  /** Something was dropped that is no file. */
  readonly onFolder: () => void;
}

/** Files of what was dropped: folders have no content of their own. */
function filesOf(dropped: DataTransfer): { files: File[]; folders: boolean } {
  const entries = Array.from(dropped.items, (item) => item.webkitGetAsEntry());
  const files = Array.from(dropped.files);
  const folders = entries.some((entry) => entry?.isDirectory === true);
  return { files: files.filter((_, at) => entries[at]?.isDirectory !== true), folders };
}

/** Whether a person is writing something: then what they paste is theirs. */
const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, [contenteditable=true]') !== null;

/** Takes files: dropped, chosen, or pasted anywhere on the page. */
export function DropZone({ maxBytes, onFiles, onFolder }: DropZoneProps) {
  const { t } = useTranslation('parser');
  const { bytes } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const take = (files: readonly File[]) => {
    if (files.length > 0) onFiles(files);
  };
  useWindowEvent('paste', (event) => {
    const files = Array.from(event.clipboardData?.files ?? []);
    if (files.length === 0 || isWriting(event.target)) return;
    event.preventDefault();
    take(files);
  });
  const { over, handlers } = useDropArea((dropped) => {
    const { files, folders } = filesOf(dropped);
    if (folders) onFolder();
    take(files);
  });
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    take(Array.from(event.currentTarget.files ?? []));
    // The same file may be chosen again.
    event.currentTarget.value = '';
  };
  return (
    // Files are dropped by a pointer; the keyboard has the button within.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={classes['drop']} data-over={over} aria-label={t('drop.area')} {...handlers}>
      <Stack align="center" gap="xs" ta="center">
        <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
          <IconFileUpload size={26} stroke={1.5} />
        </ThemeIcon>
        <Text fw={600}>{t(over ? 'drop.release' : 'drop.title')}</Text>
        <Text size="sm" c="dimmed">
          {maxBytes === null ? ' ' : t('drop.hint', { bytes: bytes(maxBytes) })}
        </Text>
        <input ref={input} type="file" multiple accept={ACCEPTED} hidden data-testid="parser-file" onChange={choose} />
        <Button variant="default" onClick={() => input.current?.click()}>
          {t('drop.choose')}
        </Button>
        <Text size="xs" c="dimmed" maw="36rem">
          {t('formats')}
        </Text>
      </Stack>
    </section>
  );
}
