import type { AgentRun } from '@ai-studio/contract/console/agent-talks.ts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Composer } from '../composer/composer.tsx';
import { hasTouchKeyboard } from '../composer/send-key.ts';
import { FormAlert } from '../form-alert.tsx';
import { Markdown, preloadMarkdown } from '../markdown/markdown.tsx';
import { useAutoScroll } from '../use-auto-scroll.ts';
import { AttachButton, AttachedList, type Attachments, useAttachments } from './attach.tsx';
import { RunView } from './run-view.tsx';
import { SourceDrawer } from './source-drawer.tsx';
import classes from './talk.module.css';
import { useTalk } from './use-talk.ts';

const messageHint = () => (hasTouchKeyboard() ? 'message_hint_touch' : 'message_hint');

interface Welcome {
  readonly greeting: string;
  readonly examples: readonly string[];
  /** Whether messages may bring files. */
  readonly files: boolean;
}

interface TalkViewProps {
  /** Address of the agent below the console's interface. */
  readonly root: string;
  readonly initial: readonly AgentRun[];
  readonly sessionId: number | null;
  /** What is run: draft, deployed, or the id of a version. */
  readonly version?: string;
  readonly welcome: Welcome;
  /** False where messages are only read. */
  readonly writes?: boolean;
  /** Asked at once, as the question of a card was clicked. */
  readonly first?: string;
  readonly onSession?: (id: number) => void;
  /** Before the button that sends; told the files of the message. */
  readonly renderTrailing?: (attachments: Attachments) => ReactNode;
  /** Beside the figures of an answer. */
  readonly renderBeside?: (run: AgentRun) => ReactNode;
}

function Greeting({
  welcome: { greeting, examples },
  disabled,
  onExample,
}: {
  readonly welcome: Welcome;
  readonly disabled: boolean;
  readonly onExample: (text: string) => void;
}) {
  const { t } = useTranslation('talk');
  return (
    <Stack gap="md">
      {greeting === '' ? <Text c="dimmed">{t('begin')}</Text> : <Markdown text={greeting} />}
      {examples.length === 0 ? null : (
        <Group gap="xs" role="group" aria-label={t('examples')}>
          {examples.map((example) => (
            <Button
              key={example}
              variant="default"
              size="sm"
              h="auto"
              py={8}
              disabled={disabled}
              onClick={() => onExample(example)}
            >
              <Text span size="sm" className={classes['example'] ?? ''}>
                {example}
              </Text>
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** A talk with an agent: what was said, its sources, and the field to go on. */
export function TalkView(props: TalkViewProps) {
  const {
    root,
    initial,
    sessionId,
    version = 'deployed',
    welcome,
    writes = true,
    first,
    renderTrailing,
    onSession,
    renderBeside,
  } = props;
  const { t } = useTranslation('talk');
  useEffect(preloadMarkdown, []);
  const talk = useTalk({ root, initial, sessionId, version, ...(onSession === undefined ? {} : { onSession }) });
  const [uploadFailure, setUploadFailure] = useState<unknown>(null);
  const attachments = useAttachments(root, setUploadFailure);
  const follow = useAutoScroll();
  const [shown, setShown] = useState<{ readonly run: AgentRun; readonly number: number } | null>(null);
  const onSource = useCallback((run: AgentRun, number: number) => setShown({ run, number }), []);
  const sendMessage = async (text: string) => {
    setUploadFailure(null);
    await talk.sendMessage({ text, files: attachments.ready });
    attachments.clear();
  };
  const [exampleFailure, setExampleFailure] = useState<unknown>(null);
  const sendExample = (text: string) => {
    setExampleFailure(null);
    sendMessage(text).catch(setExampleFailure);
  };
  const began = useRef(false);
  useEffect(() => {
    if (first === undefined || began.current) return;
    began.current = true;
    sendExample(first);
  });
  const takesFiles = welcome.files;
  const name = shown?.run.citations.find(({ number }) => number === shown.number)?.document_name ?? '';
  return (
    <>
      {/* What scrolls can be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['talk']} {...follow.props} tabIndex={0} role="log" aria-label={t('talk')}>
        <Stack gap="xl" className={classes['middle'] ?? ''}>
          {talk.runs.length === 0 && !talk.running ? (
            <Greeting welcome={welcome} disabled={attachments.uploads.running} onExample={sendExample} />
          ) : null}
          {talk.runs.map((run) => (
            <RunView key={run.id} root={root} run={run} onSource={onSource} beside={renderBeside?.(run)} rates />
          ))}
          <FormAlert error={talk.failure ?? exampleFailure} />
        </Stack>
      </div>
      {writes ? (
        <div className={classes['foot']}>
          <Stack gap={6} className={classes['middle'] ?? ''}>
            <FormAlert error={uploadFailure} />
            <Composer
              place={`${root}/${sessionId ?? 'new'} ${version}`}
              above={<AttachedList items={attachments.items} onDrop={attachments.drop} />}
              label={t('message')}
              placeholder={talk.waitingRun === null ? t(messageHint()) : t('reply_hint')}
              running={talk.running}
              uploads={attachments.uploads}
              sendsEmpty={attachments.items.length > 0}
              onSend={sendMessage}
              onStop={() => void talk.stop()}
              trailing={renderTrailing?.(attachments)}
              beside={takesFiles ? <AttachButton onFiles={attachments.add} /> : undefined}
            />
            <Text size="xs" c="dimmed" ta="center">
              {t('check_answers')}
            </Text>
          </Stack>
        </div>
      ) : null}
      <SourceDrawer
        place={shown === null ? null : { answer: `${root}/runs/${shown.run.id}`, number: shown.number }}
        name={name}
        onClose={() => setShown(null)}
      />
    </>
  );
}
