import type { ChatModelOption, ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconMessageOff } from '@tabler/icons-react';
import { lazy, memo, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../parts/composer/use-draft.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { JumpToEnd } from '../../parts/jump-to-end.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { useAutoScroll } from '../../parts/use-auto-scroll.ts';
import { type AnswerSettings, settingsOf } from './answer-settings.ts';
import { ChatComposer } from './chat-composer.tsx';
import classes from './chat.module.css';
import { type Question, draftPlace, isNotFound, takeFirstQuestion } from './conversations.ts';
import { ListButton } from './list-button.tsx';
import { MessageView } from './message-view.tsx';
import { ShareButton } from './share-button.tsx';
import type { ShownSource } from './source-panel.tsx';
import { useConversation } from './use-conversation.ts';
import { useConversationSettings } from './use-conversation-settings.ts';

/** Fetched when a source is looked at. */
const SourcePanel = lazy(async () => ({ default: (await import('./source-panel.tsx')).SourcePanel }));
/** Fetched once there are answers. */
const FollowUpQuestions = lazy(async () => ({ default: (await import('./follow-ups.tsx')).FollowUpQuestions }));
const ComparedAnswers = lazy(async () => ({ default: (await import('./compared-answers.tsx')).ComparedAnswers }));

interface ThreadProps {
  readonly id: string;
  readonly models: readonly ChatModelOption[];
}

interface FootProps {
  readonly id: string;
  readonly settings: AnswerSettings;
  readonly models: readonly ChatModelOption[];
  readonly running: boolean;
  readonly ask: (question: Question) => Promise<void>;
  readonly stop: () => void;
  readonly reasoning: boolean | undefined;
  readonly onReasoning: (value: boolean) => void;
  readonly onSettings: (change: Partial<AnswerSettings>) => void;
}

/** Who answers a question. */
const asked = ({ model, modelsBeside }: AnswerSettings) =>
  modelsBeside.length === 0 ? {} : { models: [model, ...modelsBeside] };

/** Where people write: drawn apart from the talk, which changes with each frame while an answer comes. */
const Foot = memo(function Foot(props: FootProps) {
  const { id, settings, models, running, ask, stop, reasoning, onReasoning, onSettings } = props;
  const { t } = useTranslation('chat');
  const [draft, onDraft] = useDraft(draftPlace(id));
  const [first] = useState(() => takeFirstQuestion(id));
  return (
    <div className={classes['foot']}>
      <Stack gap={6} className={classes['middle'] ?? ''}>
        <ChatComposer
          draft={draft}
          onDraft={onDraft}
          models={models}
          settings={settings}
          onSettings={onSettings}
          reasoning={reasoning}
          onReasoning={onReasoning}
          running={running}
          sendsAtOnce={first !== null}
          onSend={({ content, files }) =>
            ask({ ...first, content, files, ...asked(settings), ...(reasoning === undefined ? {} : { reasoning }) })
          }
          onStop={stop}
        />
        <Text size="xs" c="dimmed" ta="center">
          {t('check')}
        </Text>
      </Stack>
    </div>
  );
});

/** Whether something has been true since the page was opened. */
function useWasTrue(now: boolean): boolean {
  const [was, setWas] = useState(now);
  if (now && !was) setWas(true);
  return was;
}

/** Answers in the order in which they were asked for, whichever of them is shown. */
const inVersionOrder = (last: ConversationMessage, beside: readonly ConversationMessage[]) =>
  [last, ...beside].toSorted((one, other) => last.versions.indexOf(one.id) - last.versions.indexOf(other.id));

/** A conversation: what was said, and the field to go on. */
export function Thread({ id, models }: ThreadProps) {
  const { t } = useTranslation('chat');
  const { query, running, failure, ask, stop, stopOne } = useConversation(id);
  const follow = useAutoScroll();
  const [reasoning, setReasoning] = useState<boolean | undefined>(undefined);
  const [againFailure, setAgainFailure] = useState<unknown>(null);
  const conversation = query.data;
  const loaded = conversation !== undefined;
  const asReasoned = useMemo(() => (reasoning === undefined ? {} : { reasoning }), [reasoning]);
  const ownModel = conversation?.model;
  const modelsBeside = conversation?.models_beside;
  const collections = conversation?.collections;
  const systemPrompt = conversation?.system_prompt;
  const parameters = conversation?.parameters;
  // The card is drawn anew where one of them changes, not with each word of an answer.
  const settings = useMemo(
    () => settingsOf({ model: ownModel, modelsBeside, collections, systemPrompt, parameters }),
    [ownModel, modelsBeside, collections, systemPrompt, parameters],
  );
  const inOrder = useMemo(() => (settings === null ? {} : asked(settings)), [settings]);
  const onRephrase = useCallback(
    (messageId: string, content: string) => ask({ replaceFrom: messageId, content, ...asReasoned, ...inOrder }),
    [ask, asReasoned, inOrder],
  );
  const onAgain = useCallback(
    (messageId: string, model: string | undefined) => {
      setAgainFailure(null);
      ask({ replaceFrom: messageId, ...asReasoned, ...(model === undefined ? {} : { model }) }).catch(setAgainFailure);
    },
    [ask, asReasoned],
  );
  const goOn = t('go_on_words');
  const onContinue = useCallback(() => {
    setAgainFailure(null);
    ask({ content: goOn, ...asReasoned }).catch(setAgainFailure);
  }, [ask, asReasoned, goOn]);
  const onAsk = useCallback(
    (content: string) => {
      setAgainFailure(null);
      ask({ content, ...asReasoned, ...inOrder }).catch(setAgainFailure);
    },
    [ask, asReasoned, inOrder],
  );
  const wasWritten = useWasTrue(running);
  const { change, show, choose, isChoosing, error: changeFailure } = useConversationSettings(id);
  const [source, setSource] = useState<ShownSource | null>(null);
  const opener = useRef<Element | null>(null);
  const onSource = useCallback((messageId: string, number: number, name: string) => {
    opener.current = document.activeElement;
    setSource({ messageId, number, name });
  }, []);
  const closeSource = useCallback(() => {
    setSource(null);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  if (query.error !== null && !loaded) {
    if (isNotFound(query.error))
      return <EmptyState level={1} icon={IconMessageOff} title={t('gone')} hint={t('gone_hint')} />;
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!loaded || settings === null) return <LoadingPage />;
  // The title comes with the end of the first answer; until then its question says what it is about.
  const firstQuestion = conversation.messages.find(({ role }) => role === 'user')?.content;
  const title = conversation.title || firstQuestion || t('untitled');
  const last = conversation.messages.at(-1);
  const lastId = last?.id;
  // Answers of several models stand side by side until one is chosen, or something is asked on.
  const compared =
    last !== undefined && conversation.answers_beside.length > 0
      ? inVersionOrder(last, conversation.answers_beside)
      : null;
  const said = compared === null ? conversation.messages : conversation.messages.slice(0, -1);
  return (
    <div className={classes['withPanel']}>
      <section className={classes['thread']} aria-label={title}>
        <Group className={classes['head'] ?? ''} wrap="nowrap" gap="xs">
          <ListButton />
          <Title order={1} size="h5" lineClamp={1}>
            {title}
          </Title>
          {conversation.temporary ? (
            <Badge variant="default" tt="none" title={t('temporary_hint')}>
              {t('temporary')}
            </Badge>
          ) : (
            <ShareButton conversationId={id} disabled={running || conversation.messages.length === 0} />
          )}
        </Group>
        {/* What scrolls can be reached by the keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className={classes['talk']} {...follow.props} tabIndex={0} role="log" aria-label={t('talk')}>
          <Stack gap="xl" className={classes['middle'] ?? ''}>
            {said.map((message) => (
              <MessageView
                key={message.id}
                conversationId={id}
                message={message}
                place={draftPlace(id)}
                models={models}
                onRephrase={running ? null : onRephrase}
                onAgain={running ? null : onAgain}
                onShow={running ? null : show}
                onContinue={running || message.id !== lastId ? null : onContinue}
                onSource={onSource}
              />
            ))}
            {running || compared !== null ? null : (
              <Suspense>
                <FollowUpQuestions conversation={conversation} wasWritten={wasWritten} onAsk={onAsk} />
              </Suspense>
            )}
            {compared === null ? <FormAlert error={failure ?? againFailure ?? changeFailure} /> : null}
          </Stack>
          {compared === null ? null : (
            <Suspense fallback={<LoadingPage />}>
              <ComparedAnswers
                conversationId={id}
                answers={compared}
                onSource={onSource}
                onStop={stopOne}
                onChoose={running || isChoosing ? null : choose}
              />
              <FormAlert error={failure ?? changeFailure} />
            </Suspense>
          )}
          {follow.isAway ? <JumpToEnd onJump={follow.toEnd} /> : null}
        </div>
        <Foot
          id={id}
          settings={settings}
          models={models}
          running={running}
          ask={ask}
          stop={stop}
          reasoning={reasoning}
          onReasoning={setReasoning}
          onSettings={change}
        />
      </section>
      {source === null ? null : (
        <Suspense>
          <SourcePanel
            key={`${source.messageId} ${source.number}`}
            conversationId={id}
            shown={source}
            onClose={closeSource}
          />
        </Suspense>
      )}
    </div>
  );
}
