import type { SpeechOptions } from '@ai-studio/contract/console/speech.ts';
import { Button, Group, Select, Slider, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconDownload, IconVolume } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../parts/empty-state.tsx';
import { AiMark } from '../../parts/answer/ai-mark.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { synthesizeSpeech } from '../../api/speech.ts';
import classes from './speech.module.css';
import { useObjectUrl } from './use-object-url.ts';

/** Source: contract, SpeechRequest. */
const MAX_CHARACTERS = 4_096;
const marks = [0.5, 1, 1.5, 2].map((value) => ({ value, label: `${value}×` }));

/** Texts that are said. */
export function SpeechTab({ options }: { readonly options: SpeechOptions }) {
  const { t } = useTranslation('speech');
  const [chosen, setChosen] = useState<string | null>(null);
  const [input, setInput] = useState('');
  const [voice, setVoice] = useState('');
  const [speed, setSpeed] = useState(1);
  const work = useMutation({ mutationFn: (body: Parameters<typeof synthesizeSpeech>[0]) => synthesizeSpeech(body) });
  const url = useObjectUrl(work.data ?? null);
  const speedId = useId();
  if (options.speech_models.length === 0)
    return <EmptyState icon={IconVolume} level={2} title={t('none.title')} hint={t('none.say')} />;
  const model = chosen ?? options.speech_models[0] ?? '';
  const submit = () => {
    if (input.trim() !== '' && !work.isPending)
      work.mutate({ input, model, voice: voice.trim() === '' ? null : voice.trim(), speed });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md" maw="48rem">
        <Textarea
          label={t('say.text')}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={MAX_CHARACTERS}
          value={input}
          description={t('say.count', { count: input.length, most: MAX_CHARACTERS })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          onChange={(event) => setInput(event.currentTarget.value)}
        />
        <Group align="start" grow preventGrowOverflow={false}>
          <Select
            label={t('model')}
            data={[...options.speech_models]}
            value={model}
            allowDeselect={false}
            onChange={setChosen}
          />
          <TextInput
            label={t('say.voice')}
            description={t('say.voiceHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={200}
            value={voice}
            onChange={(event) => setVoice(event.currentTarget.value)}
          />
        </Group>
        <div>
          <Text size="sm" fw={500} id={speedId}>
            {t('say.speed')}
          </Text>
          <Slider
            mb="lg"
            min={0.5}
            max={2}
            step={0.1}
            marks={marks}
            value={speed}
            thumbProps={{ 'aria-labelledby': speedId }}
            label={(value) => `${value.toFixed(1)}×`}
            onChange={setSpeed}
          />
        </div>
        <Group>
          <Button
            type="submit"
            loading={work.isPending}
            disabled={input.trim() === ''}
            leftSection={<IconVolume size={18} aria-hidden />}
          >
            {t('say.go')}
          </Button>
          {url === null ? null : (
            <Button
              component="a"
              href={url}
              download="speech.mp3"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {t('say.save')}
            </Button>
          )}
        </Group>
        <FormAlert error={work.error} />
        {url === null ? null : (
          <Stack gap={4}>
            {/* The text stands above it. */}
            {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
            <audio className={classes['player']} src={url} aria-label={t('say.player')} controls autoPlay />
            <AiMark />
          </Stack>
        )}
      </Stack>
    </form>
  );
}
