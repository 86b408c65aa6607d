import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/chat-stream.ts';
import { useFormat } from '../../parts/use-format.ts';

/** An answer that came at once tells nothing of speed. */
const MIN_MS = 200;

/** Tokens and times of an answer. */
export function AnswerFigures({ answer }: { readonly answer: Answer }) {
  const { t } = useTranslation('playground');
  const { number, duration } = useFormat();
  const { promptTokens, completionTokens, reasoningTokens, firstTokenMs, durationMs } = answer;
  const writing = durationMs === null || firstTokenMs === null ? 0 : durationMs - firstTokenMs;
  const speed =
    completionTokens !== null && completionTokens > 1 && writing > MIN_MS ? completionTokens / (writing / 1000) : null;
  const figures = [
    promptTokens === null ? null : t('prompt_tokens', { tokens: number(promptTokens) }),
    completionTokens === null ? null : t('completion_tokens', { tokens: number(completionTokens) }),
    reasoningTokens ? t('reasoning_tokens', { tokens: number(reasoningTokens) }) : null,
    firstTokenMs === null ? null : t('first_token', { time: duration(firstTokenMs) }),
    durationMs === null ? null : t('duration', { time: duration(durationMs) }),
    speed === null ? null : t('speed', { speed: number(Math.round(speed)) }),
  ].filter((figure) => figure !== null);
  if (figures.length === 0) return null;
  return (
    <Group gap="xs">
      {figures.map((figure) => (
        <Text key={figure} size="xs" c="dimmed">
          {figure}
        </Text>
      ))}
    </Group>
  );
}
