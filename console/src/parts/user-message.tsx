import { ActionIcon, Box, Button, Group, Stack, Textarea, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './user-message.module.css';

interface UserMessageProps {
  readonly text: string;
  /** Asks anew with other words; null while that may not be done. */
  readonly onRephrase: ((text: string) => void) | null;
}

function Rephrase({ text, onDone, onCancel }: { text: string; onDone: (text: string) => void; onCancel: () => void }) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  const [draft, setDraft] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  // The person asked to write; they go on at the end of what they said.
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, [text]);
  return (
    <Stack gap="xs">
      <Textarea
        aria-label={t('rephrase')}
        autosize
        maxRows={12}
        ref={field}
        value={draft}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onKeyDown={({ key, nativeEvent }) => {
          // Escape also ends what an input method is writing.
          if (key === 'Escape' && !nativeEvent.isComposing) onCancel();
        }}
      />
      <Group gap="xs" justify="flex-end">
        <Button size="xs" variant="default" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button size="xs" disabled={draft.trim() === ''} onClick={() => onDone(draft.trim())}>
          {t('ask_again')}
        </Button>
      </Group>
    </Stack>
  );
}

/** What a person said to a model; it can be said in other words. */
export function UserMessage({ text, onRephrase }: UserMessageProps) {
  const { t } = useTranslation('parts');
  const [editing, setEditing] = useState(false);
  if (editing && onRephrase !== null) {
    return (
      <Rephrase
        text={text}
        onCancel={() => setEditing(false)}
        onDone={(words) => {
          setEditing(false);
          onRephrase(words);
        }}
      />
    );
  }
  return (
    <Group gap={4} justify="flex-end" align="flex-start" wrap="nowrap">
      {onRephrase === null ? null : (
        <Tooltip label={t('rephrase')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('rephrase')} onClick={() => setEditing(true)}>
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Box className={classes['said'] ?? ''}>{text}</Box>
    </Group>
  );
}
