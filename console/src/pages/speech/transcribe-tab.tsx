import type { SpeechOptions } from '@ai-studio/contract/console/speech.ts';
import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconFileUpload, IconMicrophone, IconPlayerStop } from '@tabler/icons-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useDropArea } from '../../parts/use-drop-area.ts';
import { useFormat } from '../../parts/use-format.ts';
import { clock } from './captions.ts';
import classes from './speech.module.css';
import { TranscriptView } from './transcript-view.tsx';
import { useRecorder } from '../../parts/use-recorder.ts';
import { useTranscription } from './use-transcription.ts';
import { TranscriptionEnded, TranscriptionProgress } from './transcription-state.tsx';

const ACCEPTED = 'audio/*,.mp3,.wav,.m4a,.flac,.ogg,.webm,.aac,.wma,.opus';
/** Languages that people are offered, by their codes. */
const languages = ['ko', 'en', 'ja', 'zh', 'vi', 'es', 'fr', 'de'] as const;

/** Transcription of recordings. */
export function TranscribeTab({ options }: { readonly options: SpeechOptions }) {
  const { t, i18n } = useTranslation('speech');
  const { bytes } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [language, setLanguage] = useState<string | null>(null);
  // One that was chosen may be gone by now.
  const known = options.transcription_models.find((id) => id === chosen) ?? options.transcription_models[0];
  const model = known ?? '';
  const transcription = useTranscription(model, language);
  const { busy, done, error, canceled } = transcription;
  const take = (files: readonly File[]) => {
    const [file] = files;
    if (file !== undefined) transcription.start(file);
  };
  const recorder = useRecorder((recording) =>
    take([new File([recording], `${t('write.recorded')}.webm`, { type: recording.type })]),
  );
  const { over, handlers } = useDropArea((dropped) => take(Array.from(dropped.files)));
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    take(Array.from(event.currentTarget.files ?? []));
    event.currentTarget.value = '';
  };
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  if (known === undefined && !busy && done === null)
    return <EmptyState icon={IconMicrophone} level={2} title={t('none.title')} hint={t('none.write')} />;
  return (
    <Stack gap="lg">
      <Group align="end">
        <Select
          label={t('model')}
          data={[...options.transcription_models]}
          value={model}
          allowDeselect={false}
          onChange={setChosen}
        />
        <Select
          label={t('write.language')}
          placeholder={t('write.any')}
          data={languages.map((value) => ({ value, label: names.of(value) ?? value }))}
          value={language}
          clearable
          onChange={setLanguage}
        />
      </Group>
      {/* Files are dropped by a pointer; the keyboard has the buttons within. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section className={classes['drop']} data-over={over} aria-label={t('write.area')} {...handlers}>
        <Stack align="center" gap="xs" ta="center">
          <Text fw={600}>{t(over ? 'write.release' : 'write.title')}</Text>
          <Text size="sm" c="dimmed">
            {t('write.hint', { bytes: bytes(options.max_bytes) })}
          </Text>
          <input ref={input} type="file" accept={ACCEPTED} hidden data-testid="speech-file" onChange={choose} />
          <Group justify="center">
            <Button
              variant="default"
              disabled={busy}
              leftSection={<IconFileUpload size={18} aria-hidden />}
              onClick={() => input.current?.click()}
            >
              {t('write.choose')}
            </Button>
            {recorder.seconds === null ? (
              <Button
                disabled={busy}
                leftSection={<IconMicrophone size={18} aria-hidden />}
                onClick={() => void recorder.start()}
              >
                {t('write.record')}
              </Button>
            ) : (
              <Button color="red" leftSection={<IconPlayerStop size={18} aria-hidden />} onClick={recorder.stop}>
                {t('write.stop')}
              </Button>
            )}
          </Group>
          {recorder.seconds === null ? null : (
            <Text size="sm" role="timer">
              {t('write.recording', { time: clock(recorder.seconds) })}
            </Text>
          )}
        </Stack>
      </section>
      {recorder.denied ? (
        <Alert color="yellow" role="alert">
          {t('write.denied')}
        </Alert>
      ) : null}
      {busy ? <TranscriptionProgress transcription={transcription} /> : null}
      {!busy && (error !== null || canceled) ? <TranscriptionEnded transcription={transcription} /> : null}
      {done === null ? null : <TranscriptView {...done} />}
    </Stack>
  );
}
