import { ActionIcon, Box, Button, Group, Stack, Textarea, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from './composer/use-draft.ts';
import { FormAlert } from './form-alert.tsx';
import classes from './user-message.module.css';

interface UserMessageProps {
  readonly text: string;
  /**
   * Asks anew with other words; null while that may not be done. The words stay until its promise resolves, which means that they
   * were accepted.
   */
  readonly onRephrase: ((text: string) => unknown) | null;
  /** Where words that are not sent yet are kept by this browser. */
  readonly place?: string;
}

interface RephraseProps {
  readonly text: string;
  readonly place: string | null;
  /** Null while it may not be sent. */
  readonly onRephrase: ((text: string) => unknown) | null;
  readonly onClose: () => void;
}

function Rephrase({ text, place, onRephrase, onClose }: RephraseProps) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  const [stored, store] = useDraft(place);
  const [draft, setDraft] = useState(stored.text === '' ? text : stored.text);
  const [failure, setFailure] = useState<unknown>(null);
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const close = () => {
    store(() => ({ text: '' }));
    onClose();
  };
  const send = async () => {
    setSending(true);
    setFailure(null);
    try {
      await onRephrase?.(draft.trim());
      close();
    } catch (error) {
      setFailure(error);
    } finally {
      setSending(false);
    }
  };
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
        readOnly={sending}
        onChange={({ currentTarget }) => {
          setDraft(currentTarget.value);
          const { value } = currentTarget;
          store(() => ({ text: value }));
        }}
        onKeyDown={({ key, nativeEvent }) => {
          // Escape also ends what an input method is writing.
          if (key === 'Escape' && !nativeEvent.isComposing) close();
        }}
      />
      <FormAlert error={failure} />
      <Group gap="xs" justify="flex-end">
        <Button size="xs" variant="default" onClick={close}>
          {common('cancel')}
        </Button>
        <Button
          size="xs"
          disabled={draft.trim() === '' || (onRephrase === null && !sending)}
          loading={sending}
          onClick={() => void send()}
        >
          {t('ask_again')}
        </Button>
      </Group>
    </Stack>
  );
}

/** What a person said to a model; it can be said in other words. */
export function UserMessage({ text, onRephrase, place }: UserMessageProps) {
  const { t } = useTranslation('parts');
  const [stored] = useDraft(place ?? null);
  const [editing, setEditing] = useState(stored.text !== '');
  // What is being written stays while it is sent.
  if (editing) {
    return <Rephrase text={text} place={place ?? null} onRephrase={onRephrase} onClose={() => setEditing(false)} />;
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
