import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import { Alert, Button, Group, Loader, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { clock } from './captions.ts';
import type { Transcription } from './use-transcription.ts';

function SoFar({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <Text c="dimmed" lineClamp={6}>
      {text}
    </Text>
  );
}

/** How far a recording is, and what ends it. */
export function TranscriptionProgress({ transcription }: { readonly transcription: Transcription }) {
  const { t } = useTranslation('speech');
  const { percent } = useFormat();
  const { sent, progress } = transcription;
  const name = transcription.file?.name ?? '';
  const share = progress === null ? sent : progress.length === 0 ? 1 : progress.done / progress.length;
  const sending = sent < 1 && progress === null;
  const doing = sending
    ? t('write.sending', { name })
    : t(progress === null ? 'write.reading' : 'write.working', { name });
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Loader size="sm" aria-hidden />
            <Text role="status">{doing}</Text>
          </Group>
          <Button variant="default" onClick={transcription.cancel} style={{ flexShrink: 0 }}>
            {t('write.cancel')}
          </Button>
        </Group>
        {sending || progress !== null ? (
          <Group gap="sm" wrap="nowrap">
            <Progress value={share * 100} flex={1} aria-label={doing} />
            <Text size="sm" c="dimmed">
              {progress === null
                ? percent(Math.floor(share * 100) / 100)
                : t('write.far', {
                    done: clock(progress.done),
                    length: clock(progress.length),
                    percent: percent(Math.floor(share * 100) / 100),
                  })}
            </Text>
          </Group>
        ) : null}
        <SoFar text={progress?.text ?? ''} />
      </Stack>
    </Paper>
  );
}

/** Errors of the file itself: a retry would fail again. */
const fileFaults: ReadonlySet<ConsoleReason | null> = new Set([
  'audio_unsupported',
  'audio_corrupted',
  'audio_empty',
  'audio_too_long',
]);
const canRetry = (error: Error | null) => !(error instanceof ApiError && fileFaults.has(error.reason));

/** A canceled or failed attempt, with a retry button. */
export function TranscriptionEnded({ transcription }: { readonly transcription: Transcription }) {
  const { t } = useTranslation('speech');
  const { t: common } = useTranslation('common');
  const { file, error, progress } = transcription;
  const again = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (document.activeElement === document.body) again.current?.focus();
  }, []);
  if (file === null) return null;
  return (
    <Stack gap="sm">
      {error === null ? (
        <Alert color="gray" role="status">
          {t('write.canceled', { name: file.name })}
        </Alert>
      ) : (
        <FormAlert error={error} />
      )}
      {canRetry(error) ? (
        <Group gap="sm">
          <Button
            ref={again}
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => transcription.start(file)}
          >
            {common('retry')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('write.kept', { name: file.name })}
          </Text>
        </Group>
      ) : null}
      <SoFar text={progress?.text ?? ''} />
    </Stack>
  );
}
