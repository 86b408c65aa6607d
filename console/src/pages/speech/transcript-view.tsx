import type { Transcript } from '@ai-studio/contract/console/speech.ts';
import { Button, Group, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button.tsx';
import { clock, files } from './captions.ts';
import { saveText } from '../../parts/save-text.ts';
import classes from './speech.module.css';
import { useObjectUrl } from './use-object-url.ts';

const kinds = ['txt', 'srt', 'vtt'] as const;

interface TranscriptViewProps {
  readonly transcript: Transcript;
  /** What was written down. */
  readonly file: File;
}

/** A transcript with its times; each plays the recording from there. */
export function TranscriptView({ transcript, file }: TranscriptViewProps) {
  const { t } = useTranslation('speech');
  const player = useRef<HTMLAudioElement>(null);
  const url = useObjectUrl(file);
  const { text, segments, duration, model } = transcript;
  const stem = file.name.replace(/\.[^.]*$/, '') || 'transcript';
  const play = (from: number) => {
    if (player.current === null) return;
    player.current.currentTime = from;
    void player.current.play();
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={t('write.result')}>
      <Stack gap="md">
        <Group justify="space-between">
          <div>
            <Title order={2} size="h4">
              {t('write.result')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('write.facts', { length: clock(duration), model })}
            </Text>
          </div>
          <Group gap="xs">
            <CopyButton value={text} withText />
            {kinds.map((kind) => (
              <Button
                key={kind}
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                aria-label={t('write.save', { kind: kind.toUpperCase() })}
                onClick={() => saveText(`${stem}.${kind}`, files[kind](transcript), 'text/plain')}
              >
                {kind.toUpperCase()}
              </Button>
            ))}
          </Group>
        </Group>
        {/* The words stand below it. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        {url === null ? null : <audio ref={player} className={classes['player']} src={url} controls />}
        {segments.length === 0 ? (
          <Text c="dimmed">{t('write.nothing')}</Text>
        ) : (
          <ol className={classes['segments']}>
            {segments.map(({ id, start, text: words }) => (
              <li key={id} className={classes['segment']}>
                <UnstyledButton
                  className={classes['time'] ?? ''}
                  aria-label={t('write.play', { time: clock(start) })}
                  onClick={() => play(start)}
                >
                  {clock(start)}
                </UnstyledButton>
                <span>{words}</span>
              </li>
            ))}
          </ol>
        )}
      </Stack>
    </Paper>
  );
}
