import type { AgentRun } from '@ai-studio/contract/console/agent-talks.ts';
import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { Alert, Badge, Group, Loader, Stack, Text } from '@mantine/core';
import { IconFile, IconMarkdown } from '@tabler/icons-react';
import { lazy, memo, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { AiMark } from '../answer/ai-mark.tsx';
import { CopyAnswer } from '../answer/copy-answer.tsx';
import { Feedback } from '../answer/feedback.tsx';
import { SpeakButton } from '../answer/speak-button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { SourceList } from '../source-list.tsx';
import { UserMessage } from '../user-message.tsx';
import { useFormat } from '../use-format.ts';
import { isLive } from './talk-state.ts';

function Files({ files }: { readonly files: readonly RunFile[] }) {
  const { bytes } = useFormat();
  if (files.length === 0) return null;
  return (
    <Group gap={6} justify="flex-end">
      {files.map(({ id, name, size }) => (
        <Badge key={id} variant="default" tt="none" fw={500} leftSection={<IconFile size={12} aria-hidden />}>
          {name} · {bytes(size)}
        </Badge>
      ))}
    </Group>
  );
}

/** Fetched for answers that have some. */
const AnswerParts = lazy(async () => ({ default: (await import('./answer-parts.tsx')).AnswerParts }));

interface RunPartProps {
  /** Address of the agent below the console's interface. */
  readonly root: string;
  readonly run: AgentRun;
  readonly onSource: (run: AgentRun, number: number) => void;
}

function Figures({ run }: { readonly run: AgentRun }) {
  const { t } = useTranslation('talk');
  const { number, duration } = useFormat();
  const ms = run.ended_at === null ? null : new Date(run.ended_at).getTime() - new Date(run.created_at).getTime();
  const figures = [
    run.version_number === null ? null : t('version_number', { number: run.version_number }),
    run.usage.total_tokens === 0 ? null : t('tokens_used', { tokens: number(run.usage.total_tokens) }),
    ms === null ? null : duration(ms),
  ];
  return (
    <Text size="xs" c="dimmed">
      {figures.filter((figure) => figure !== null).join(' · ')}
    </Text>
  );
}

/** What the agent wants to know before it goes on. */
function Question({ text }: { readonly text: string }) {
  const { t } = useTranslation('talk');
  if (text === '') return null;
  return (
    <Alert variant="light" role="status" title={t('asks_back')}>
      <Markdown text={text} />
    </Alert>
  );
}

function Answer({ root, run, onSource, beside, rates }: RunPartProps & Pick<RunViewProps, 'beside' | 'rates'>) {
  const { t } = useTranslation('talk');
  const { answer, state, question, failure, citations, exchanges } = run;
  const live = isLive(run);
  const sources = citations.map(({ number, document_name: name }) => ({ number, name }));
  const open = (number: number) => onSource(run, number);
  const rest = answer.slice(exchanges.at(-1)?.at ?? 0);
  return (
    <Stack gap="xs" component="article" aria-label={t('answer')} aria-busy={live}>
      {exchanges.map((exchange, index) => (
        // Each keeps its place.
        // oxlint-disable-next-line react/no-array-index-key
        <Stack key={index} gap="md">
          <Markdown text={answer.slice(exchanges[index - 1]?.at ?? 0, exchange.at)} sources={sources} onSource={open} />
          <Question text={exchange.question} />
          <UserMessage text={exchange.text} onRephrase={null} />
        </Stack>
      ))}
      {live && rest === '' ? <Loader type="dots" size="sm" aria-label={t('waiting')} /> : null}
      {rest === '' ? null : (
        <div lang="" data-answer>
          <Markdown text={rest} growing={live} sources={sources} onSource={open} />
        </div>
      )}
      {run.parts.length === 0 ? null : (
        <Suspense>
          <AnswerParts root={root} runId={run.id} parts={run.parts} />
        </Suspense>
      )}
      {state === 'input-required' && question !== null ? <Question text={question} /> : null}
      {state === 'failed' ? (
        <Alert color="red" variant="light" role="alert">
          {failure?.message ?? t('no_answer')}
        </Alert>
      ) : null}
      {state === 'canceled' ? (
        <Text size="xs" c="dimmed">
          {t('answer_stopped')}
        </Text>
      ) : null}
      <SourceList sources={citations} isHeaded onOpen={open} />
      {live ? null : (
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <AiMark />
            <Figures run={run} />
          </Group>
          <Group gap={4}>
            {beside}
            {answer === '' ? null : (
              <>
                {rates ? <Feedback address={`${root}/runs/${run.id}`} given={run.feedback} isTold /> : null}
                <SpeakButton text={answer} />
                <CopyAnswer text={answer} label={t('copy_answer')} />
                <CopyButton value={answer} label={t('copy_markdown')} icon={IconMarkdown} />
              </>
            )}
          </Group>
        </Group>
      )}
    </Stack>
  );
}

interface RunViewProps extends RunPartProps {
  /** Beside the figures, such as the way to the trace. */
  readonly beside?: ReactNode;
  /** Below the answer. */
  readonly after?: ReactNode;
  /** Whether the person may say what they think of it: it is their own. */
  readonly rates?: boolean;
}

/** A message to an agent and its answer. Drawn again only when it has changed. */
export const RunView = memo(function RunView({
  root,
  run,
  onSource,
  beside = null,
  after = null,
  rates = false,
}: RunViewProps) {
  return (
    <Stack gap="md">
      <Stack gap={6}>
        {run.text === '' ? null : <UserMessage text={run.text} onRephrase={null} />}
        <Files files={run.files} />
      </Stack>
      <Answer root={root} run={run} onSource={onSource} beside={beside} rates={rates} />
      {after}
    </Stack>
  );
});
