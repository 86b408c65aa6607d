import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconMicrophone, IconPlayerStopFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface MicButtonProps {
  /** Of the recording under way; null where there is none. */
  readonly seconds: number | null;
  /** What was said is being written down. */
  readonly isWriting: boolean;
  readonly onStart: () => void;
  readonly onStop: () => void;
}

/** Speaks a message instead of typing it. */
export function MicButton({ seconds, isWriting, onStart, onStop }: MicButtonProps) {
  const { t } = useTranslation('chat');
  if (seconds !== null)
    return (
      <>
        <Text size="sm" c="red" role="timer" aria-label={t('recording')}>
          {Math.floor(seconds / 60)}:{String(Math.floor(seconds % 60)).padStart(2, '0')}
        </Text>
        <ActionIcon size={36} radius="xl" variant="light" color="red" aria-label={t('end_recording')} onClick={onStop}>
          <IconPlayerStopFilled size={18} aria-hidden />
        </ActionIcon>
      </>
    );
  return (
    <Tooltip label={t('speak')}>
      <ActionIcon
        size={36}
        radius="xl"
        variant="subtle"
        color="gray"
        aria-label={t('speak')}
        loading={isWriting}
        onClick={onStart}
      >
        <IconMicrophone size={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
