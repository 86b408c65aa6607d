import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { ActionIcon, CloseButton, FileButton, Group, Loader, Text } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ACCEPTED } from '../document-files.ts';
import { useFormat } from '../use-format.ts';
import classes from './talk.module.css';
import { uploadFile } from './talk-api.ts';

/** A file on its way to an agent, or there. */
interface Attached {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** Null until it is there. */
  readonly file: RunFile | null;
  readonly picked: File;
  readonly abort: AbortController;
}

/** Files of one message: service and page hold no more. */
const MAX_FILES = 20;

/** The files that the next message brings. */
export function useAttachments(root: string, onFailure: (error: unknown) => void) {
  const [items, setItems] = useState<readonly Attached[]>([]);
  const [failed, setFailed] = useState(0);
  const next = useRef(0);
  const open = useRef(new Set<AbortController>());
  useEffect(() => {
    const { current } = open;
    return () => {
      for (const abort of current) abort.abort();
    };
  }, []);
  const remove = (key: number) => setItems((old) => old.filter((one) => one.key !== key));
  const add = (files: readonly File[]) => {
    for (const picked of files.slice(0, Math.max(0, MAX_FILES - items.length))) {
      const abort = new AbortController();
      const key = next.current++;
      open.current.add(abort);
      setItems((old) => [...old, { key, name: picked.name, size: picked.size, file: null, picked, abort }]);
      uploadFile(root, picked, abort.signal, () => undefined)
        .then((file) => setItems((old) => old.map((one) => (one.key === key ? { ...one, file } : one))))
        .catch((error: unknown) => {
          remove(key);
          if (abort.signal.aborted) return;
          setFailed((before) => before + 1);
          onFailure(error);
        })
        .finally(() => open.current.delete(abort));
    }
  };
  return {
    items,
    /** Those that are there. */
    ready: items.flatMap(({ file }) => file ?? []),
    uploads: { running: items.some(({ file }) => file === null), failed },
    add,
    drop(key: number) {
      items.find((one) => one.key === key)?.abort.abort();
      remove(key);
    },
    clear: () => setItems([]),
  };
}

export type Attachments = ReturnType<typeof useAttachments>;

/** Files of the next message, each with a button that takes it away. */
export function AttachedList({
  items,
  onDrop,
}: {
  readonly items: readonly Attached[];
  readonly onDrop: (key: number) => void;
}) {
  const { t } = useTranslation('talk');
  const { bytes } = useFormat();
  if (items.length === 0) return null;
  return (
    <ul className={classes['files']} aria-label={t('attached')}>
      {items.map(({ key, name, size, file }) => (
        <li key={key} className={classes['file']}>
          {file === null ? <Loader size={14} aria-label={t('uploading')} /> : null}
          <Text size="sm" truncate>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {bytes(size)}
          </Text>
          <CloseButton size="sm" aria-label={t('detach', { name })} onClick={() => onDrop(key)} />
        </li>
      ))}
    </ul>
  );
}

/** Chooses files for the next message. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation('talk');
  return (
    <Group>
      <FileButton multiple accept={ACCEPTED} onChange={onFiles}>
        {(props) => (
          <ActionIcon {...props} size={36} variant="default" aria-label={t('attach')}>
            <IconPaperclip size={18} aria-hidden />
          </ActionIcon>
        )}
      </FileButton>
    </Group>
  );
}
