import { ActionIcon, Alert, Anchor, Badge, Button, Group, Loader, Stack, Text, Tooltip } from '@mantine/core';
import { IconEraser, IconListTree, IconMessageCircleQuestion, IconPaperclip } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AnswerParts } from '../../../../parts/agent-talk/answer-parts.tsx';
import { AttachButton, AttachedList, useAttachments } from '../../../../parts/agent-talk/attach.tsx';
import { SourceDrawer } from '../../../../parts/agent-talk/source-drawer.tsx';
import { Composer } from '../../../../parts/composer/composer.tsx';
import { Markdown } from '../../../../parts/markdown/markdown.tsx';
import { UserMessage } from '../../../../parts/user-message.tsx';
import { useErrorMessage } from '../../../../parts/use-error-message.ts';
import { useAutoScroll } from '../../../../parts/use-auto-scroll.ts';
import { useNotify } from '../../../../parts/use-notify.tsx';
import { agentPath } from '../../queries.ts';
import { FailureView } from '../../sessions/failure.tsx';
import { useBuilder } from '../context.ts';
import classes from '../builder.module.css';
import { nodeOf } from '../model/graph.ts';
import { useNodeLabels } from '../use-node-labels.ts';
import { EarlierSessions } from './earlier-sessions.tsx';
import { isEnded } from './run-state.ts';
import { Trace } from './trace.tsx';
import type { Run, Turn } from './use-run.ts';

interface CitationsProps {
  readonly turn: Turn;
  readonly onSource: (number: number) => void;
}

function Citations({ turn, onSource }: CitationsProps) {
  const { t } = useTranslation('agentBuilder');
  const { citations } = turn.view;
  if (citations.length === 0) return null;
  return (
    <section aria-label={t('citations')}>
      <Text size="xs" c="dimmed" mb={4}>
        {t('citations')}
      </Text>
      <Group gap={6}>
        {citations.map(({ number, document_name: name, page }) => (
          <Button key={number} size="compact-xs" variant="default" onClick={() => onSource(number)}>
            [{number}] {name}
            {page === null ? '' : ` · ${t('page', { number: page })}`}
          </Button>
        ))}
      </Group>
    </section>
  );
}

interface TurnViewProps {
  readonly turn: Turn;
  readonly busy: boolean;
  readonly onSource: (place: Cited) => void;
  /** Opens the settings of a node. */
  readonly onSettings: (id: string) => void;
}

/** A source of an answer that is looked at. */
interface Cited {
  readonly runId: string;
  readonly number: number;
  readonly name: string;
}

function TurnView({ turn, busy, onSource, onSettings }: TurnViewProps) {
  const { t } = useTranslation('agentBuilder');
  const { agentId, definition, options } = useBuilder();
  const names = useNodeLabels(options);
  const words = useErrorMessage();
  const { view, files, text, error } = turn;
  const failed = nodeOf(definition, view.failure?.node);
  const running = busy && error === null && !isEnded(view.state);
  const sources = view.citations.map(({ number, document_name: name }) => ({ number, name }));
  const open = (number: number) =>
    onSource({
      runId: view.runId ?? '',
      number,
      name: sources.find((one) => one.number === number)?.name ?? '',
    });
  return (
    <Stack gap="xs">
      {text === '' ? null : <UserMessage text={text} onRephrase={null} />}
      {files.length === 0 ? null : (
        <Group gap={4} justify="flex-end">
          {files.map((file) => (
            <Badge
              key={file.id}
              variant="light"
              color="gray"
              tt="none"
              leftSection={<IconPaperclip size={12} aria-hidden />}
            >
              {file.name}
            </Badge>
          ))}
        </Group>
      )}
      <Stack gap="xs" component="article" aria-label={t('answer')} aria-busy={running}>
        {view.answer === '' ? null : (
          <div lang="">
            <Markdown text={view.answer} growing={running} sources={sources} onSource={open} />
          </div>
        )}
        {running && view.answer === '' ? <Loader type="dots" size="sm" aria-label={t('run_states.running')} /> : null}
        <AnswerParts root={agentPath(agentId)} runId={view.runId ?? ''} parts={view.parts} />
        <Citations turn={turn} onSource={open} />
        {view.question === null ? null : (
          <Alert variant="light" title={t('asks_back')} p="sm">
            {view.question}
          </Alert>
        )}
        {view.state === 'canceled' ? (
          <Text size="xs" c="dimmed">
            {t('canceled')}
          </Text>
        ) : null}
        {error === null ? null : (
          <Alert color="red" variant="light" role="alert" p="sm">
            {words(error)}
          </Alert>
        )}
        {view.failure === null ? null : (
          <FailureView
            failure={view.failure}
            {...(failed === undefined
              ? {}
              : {
                  name: names.name(failed),
                  beside: (
                    <Button size="compact-xs" variant="default" onClick={() => onSettings(failed.id)}>
                      {t('to_settings')}
                    </Button>
                  ),
                })}
          />
        )}
        {view.state === 'completed' && view.answer === '' && view.parts.length === 0 ? (
          <Text size="xs" c="dimmed">
            {t('no_answer_text')}
          </Text>
        ) : null}
      </Stack>
    </Stack>
  );
}

interface RunPanelProps {
  readonly run: Run;
  /** The node whose trace is open. */
  readonly traced: string | null;
  readonly onTraced: (id: string | null) => void;
  readonly errors: number;
  readonly onProblems: () => void;
  readonly onSettings: (id: string) => void;
}

/** Talks with the draft, and shows what its nodes do. */
export function RunPanel({ run, traced, onTraced, errors, onProblems, onSettings }: RunPanelProps) {
  const { t } = useTranslation('agentBuilder');
  const { agentId, definition } = useBuilder();
  const notify = useNotify();
  const follow = useAutoScroll();
  const [cited, setCited] = useState<Cited | null>(null);
  const attached = useAttachments(agentPath(agentId), notify.failed);
  const { turns, busy, sending } = run;
  const last = turns.at(-1);
  const input = definition.nodes.find((node) => node.kind === 'input');
  const takesFiles = input?.kind === 'input' && input.files;
  const examples = input?.kind === 'input' ? input.examples : [];
  const sendMessage = async (text: string) => {
    await run.sendMessage(text, attached.ready);
    attached.clear();
  };
  return (
    <div className={classes['runPanel']}>
      {/* What scrolls can be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['talk']} {...follow.props} tabIndex={0} role="log" aria-label={t('talk')}>
        {turns.length === 0 ? (
          <Stack gap="sm" align="flex-start">
            <Alert
              variant="light"
              p="sm"
              icon={<IconMessageCircleQuestion size={18} aria-hidden />}
              title={t('run_here')}
            >
              {t(examples.length === 0 ? 'run_hint' : 'run_hint_examples')}
            </Alert>
            {input?.kind === 'input' && input.greeting !== '' ? <Text size="sm">{input.greeting}</Text> : null}
            {examples.map((example) => (
              <Button
                key={example}
                size="compact-sm"
                variant="default"
                disabled={busy || sending || attached.uploads.running}
                onClick={() => void sendMessage(example).catch(notify.failed)}
              >
                {example}
              </Button>
            ))}
          </Stack>
        ) : (
          <Stack gap="lg">
            {turns.map((turn) => (
              <Stack key={turn.id} gap="xs">
                <TurnView turn={turn} busy={busy && turn === last} onSource={setCited} onSettings={onSettings} />
                {turn === run.shown ? (
                  <Trace view={turn.view} node={traced} onNode={onTraced} />
                ) : turn.view.runId === null ? null : (
                  <Group>
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      leftSection={<IconListTree size={14} aria-hidden />}
                      onClick={() => void run.show(turn).catch(notify.failed)}
                    >
                      {t('trace.show')}
                    </Button>
                  </Group>
                )}
              </Stack>
            ))}
          </Stack>
        )}
      </div>
      <Stack gap={6} className={classes['runFoot'] ?? ''}>
        {errors === 0 ? null : (
          <Alert color="orange" variant="light" p="xs">
            <Anchor component="button" type="button" size="sm" onClick={onProblems}>
              {t('run_with_errors', { count: errors })}
            </Anchor>
          </Alert>
        )}
        <AttachedList items={attached.items} onDrop={attached.drop} />
        <Composer
          place={`trial/${agentId}`}
          label={t('message')}
          placeholder={last?.view.state === 'input-required' ? t('answer_hint') : t('message_hint')}
          running={busy}
          uploads={attached.uploads}
          onSend={sendMessage}
          onStop={() => void run.cancel().catch(notify.failed)}
          beside={
            <>
              {takesFiles ? <AttachButton onFiles={attached.add} /> : null}
              <EarlierSessions onOpen={(session) => void run.open(session).catch(notify.failed)} />
              <Tooltip label={t('clear')}>
                <ActionIcon
                  size={36}
                  variant="default"
                  disabled={turns.length === 0}
                  aria-label={t('clear')}
                  onClick={run.clear}
                >
                  <IconEraser size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </>
          }
        />
      </Stack>
      <SourceDrawer
        place={cited === null ? null : { answer: `${agentPath(agentId)}/runs/${cited.runId}`, number: cited.number }}
        name={cited?.name ?? ''}
        onClose={() => setCited(null)}
      />
    </div>
  );
}
