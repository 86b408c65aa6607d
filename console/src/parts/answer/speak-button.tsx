import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerStop, IconVolume } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { useNotify } from '../use-notify.tsx';
import { plainText } from './plain-text.ts';
import { useSpeech } from './use-speech.ts';

/** Reads an answer (Markdown) aloud, and stops; nothing where no model for it is connected. */
export function SpeakButton({ text }: { readonly text: string }) {
  const { t } = useTranslation('answers');
  const loaded = useLazyNamespace('answers');
  const { failed } = useNotify();
  const { say, stop, isSaying } = useSpeech(failed);
  if (!loaded || say === null) return null;
  const label = t(isSaying ? 'stop_listening' : 'listen');
  const Icon = isSaying ? IconPlayerStop : IconVolume;
  return (
    <Tooltip label={label} withArrow>
      <ActionIcon
        variant="subtle"
        {...(isSaying ? {} : { color: 'gray' })}
        aria-label={label}
        onClick={() => (isSaying ? stop() : say(plainText(text)))}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
