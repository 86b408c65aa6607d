import { ActionIcon, Group, Textarea } from '@mantine/core';
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface ComposerProps {
  readonly label: string;
  readonly placeholder: string;
  /** An answer is being written: the button ends it. */
  readonly running: boolean;
  readonly disabled?: boolean;
  /** Whether it may be sent without a word, with files for example. */
  readonly sendsEmpty?: boolean;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
  /** Beside the field. */
  readonly beside?: ReactNode;
}

/**
 * Enter sends, with Shift it begins a line. An Enter that ends a syllable of a Korean (or other) input method belongs to the
 * input method: some browsers tell by `isComposing`, some by key code 229.
 */
const sends = ({ key, shiftKey, nativeEvent }: KeyboardEvent) =>
  // oxlint-disable-next-line typescript/no-deprecated
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && nativeEvent.keyCode !== 229;

/** The field in which people write to a model. */
export function Composer(props: ComposerProps) {
  const { label, placeholder, running, disabled = false, sendsEmpty = false, onSend, onStop, beside } = props;
  const { t } = useTranslation('parts');
  const [text, setText] = useState('');
  const empty = text.trim() === '' && !sendsEmpty;
  const send = () => {
    if (empty || running || disabled) return;
    onSend(text.trim());
    setText('');
  };
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <Textarea
        flex={1}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (!sends(event)) return;
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
        <ActionIcon size={36} variant="filled" aria-label={t('send')} disabled={empty || disabled} onClick={send}>
          <IconArrowUp size={18} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
