import { ActionIcon, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Files on their way to the service. */
export interface Uploads {
  /** Whether some are not there yet. */
  readonly running: boolean;
  /** How many did not arrive so far. */
  readonly failed: number;
}

const noUploads: Uploads = { running: false, failed: 0 };

interface ComposerProps {
  readonly label: string;
  readonly placeholder: string;
  /** An answer is being written: the button ends it. */
  readonly running: boolean;
  readonly disabled?: boolean;
  /** Files that the message brings; it is sent once they are all there. */
  readonly uploads?: Uploads;
  /** Whether it may be sent without a word, with files for example. */
  readonly sendsEmpty?: boolean;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
  /** Beside the field. */
  readonly beside?: ReactNode;
}

/**
 * Enter sends, Shift+Enter inserts a line break. An Enter that ends a syllable of a Korean (or other) input method belongs to the
 * input method: some browsers tell by `isComposing`, some by key code 229.
 */
const isSendKey = ({ key, shiftKey, nativeEvent }: KeyboardEvent) =>
  // oxlint-disable-next-line typescript/no-deprecated
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && nativeEvent.keyCode !== 229;

/** The field in which people write to a model. */
export function Composer(props: ComposerProps) {
  const {
    label,
    placeholder,
    running,
    disabled = false,
    uploads = noUploads,
    sendsEmpty = false,
    onSend,
    onStop,
    beside,
  } = props;
  const { t } = useTranslation('parts');
  const [text, setText] = useState('');
  const empty = text.trim() === '' && !sendsEmpty;
  /** Queued until its uploads finish: the number of failed uploads at that time. If it grows, the message is not sent. */
  const [waiting, setWaiting] = useState<number | null>(null);
  const send = () => {
    if (empty || running || disabled) return;
    if (uploads.running) {
      setWaiting(uploads.failed);
      return;
    }
    onSend(text.trim());
    setText('');
  };
  const sendWaiting = useEffectEvent(() => {
    if (waiting === uploads.failed) send();
    setWaiting(null);
  });
  useEffect(() => {
    if (waiting === null || uploads.running) return undefined;
    const timer = setTimeout(sendWaiting);
    return () => clearTimeout(timer);
  }, [waiting, uploads.running]);
  return (
    <Stack gap={waiting === null ? 0 : 4}>
      <Text size="xs" c="dimmed" role="status">
        {waiting === null ? '' : t('sends_after_upload')}
      </Text>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Textarea
          flex={1}
          aria-label={label}
          placeholder={placeholder}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            // Editing the text cancels the queued send.
            setWaiting(null);
          }}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            send();
          }}
          autosize
          minRows={1}
          maxRows={12}
          maxLength={200_000}
        />
        {beside}
        {running ? (
          <ActionIcon size={36} variant="filled" color="red" aria-label={t('stop')} onClick={onStop}>
            <IconPlayerStopFilled size={18} aria-hidden />
          </ActionIcon>
        ) : (
          <ActionIcon
            size={36}
            variant="filled"
            aria-label={t('send')}
            disabled={empty || disabled}
            loading={waiting !== null}
            onClick={send}
          >
            <IconArrowUp size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    </Stack>
  );
}
