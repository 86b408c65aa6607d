import type { SpeechMeans, Transcript } from '@ai-studio/contract/console/speech.ts';
import { Alert, Button, Group, Loader, Paper, Select, Stack, Text } from '@mantine/core';
import { IconFileUpload, IconMicrophone, IconPlayerStop } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useDropArea } from '../../parts/use-drop-area.ts';
import { useFormat } from '../../parts/use-format.ts';
import { clock } from './captions.ts';
import { writeDown } from './queries.ts';
import classes from './speech.module.css';
import { TranscriptView } from './transcript-view.tsx';
import { useRecorder } from './use-recorder.ts';

const ACCEPTED = 'audio/*,.mp3,.wav,.m4a,.flac,.ogg,.webm,.aac,.wma,.opus';
/** Languages that people are offered, by their codes. */
const languages = ['ko', 'en', 'ja', 'zh', 'vi', 'es', 'fr', 'de'] as const;

interface Done {
  readonly transcript: Transcript;
  readonly file: File;
}

/** Recordings that are written down. */
export function WriteTab({ means }: { readonly means: SpeechMeans }) {
  const { t, i18n } = useTranslation('speech');
  const { bytes } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const ending = useRef<AbortController | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [language, setLanguage] = useState<string | null>(null);
  const [sent, setSent] = useState(0);
  const [soFar, setSoFar] = useState<{ readonly text: string; readonly share: number } | null>(null);
  const model = chosen ?? means.transcription_models[0] ?? '';
  const work = useMutation({
    async mutationFn(file: File): Promise<Done | null> {
      const { signal } = (ending.current = new AbortController());
      setSent(0);
      setSoFar(null);
      try {
        const transcript = await writeDown(file, {
          model,
          language,
          signal,
          onProgress: (done) => setSent(file.size === 0 ? 1 : done / file.size),
          onText: (text, share) => setSoFar({ text, share }),
        });
        return { transcript, file };
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      }
    },
  });
  const take = (files: readonly File[]) => {
    const [file] = files;
    if (file !== undefined && !work.isPending) work.mutate(file);
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
  if (means.transcription_models.length === 0)
    return <EmptyState icon={IconMicrophone} level={2} title={t('none.title')} hint={t('none.write')} />;
  const name = work.variables?.name ?? '';
  return (
    <Stack gap="lg">
      <Group align="end">
        <Select
          label={t('model')}
          data={[...means.transcription_models]}
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
            {t('write.hint', { bytes: bytes(means.max_bytes) })}
          </Text>
          <input ref={input} type="file" accept={ACCEPTED} hidden data-testid="speech-file" onChange={choose} />
          <Group justify="center">
            <Button
              variant="default"
              disabled={work.isPending}
              leftSection={<IconFileUpload size={18} aria-hidden />}
              onClick={() => input.current?.click()}
            >
              {t('write.choose')}
            </Button>
            {recorder.seconds === null ? (
              <Button
                disabled={work.isPending}
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
      {work.isPending ? (
        <Paper withBorder p="md">
          <Group justify="space-between">
            <Group gap="sm">
              <Loader size="sm" aria-hidden />
              <Text role="status">
                {sent < 1
                  ? t('write.sending', { name, percent: Math.floor(sent * 100) })
                  : t('write.working', { name })}
              </Text>
              {soFar === null ? null : <Text c="dimmed">{`${Math.floor(soFar.share * 100)} %`}</Text>}
            </Group>
            <Button variant="default" onClick={() => ending.current?.abort()}>
              {t('write.cancel')}
            </Button>
          </Group>
          {soFar === null ? null : (
            <Text mt="sm" c="dimmed" lineClamp={6}>
              {soFar.text}
            </Text>
          )}
        </Paper>
      ) : null}
      <FormAlert error={work.error} />
      {work.data ? <TranscriptView {...work.data} /> : null}
    </Stack>
  );
}
