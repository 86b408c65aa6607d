import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import type { ConversationCollection } from '@ai-studio/contract/console/conversation-parts.ts';
import { Text } from '@mantine/core';
import {
  type KeyboardEvent,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { ComposerCard } from '../../parts/composer/composer.tsx';
import type { Draft } from '../../parts/composer/drafts.ts';
import { hasRoomForHint } from '../../parts/composer/send-key.ts';
import type { ChangeDraft } from '../../parts/composer/use-draft.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useDropArea } from '../../parts/use-drop-area.ts';
import type { AnswerSettings } from './answer-settings.ts';
import classes from './composer.module.css';
import { AddMenu } from './composer-tools.tsx';
import { FileChips } from './file-chips.tsx';
import { type ChatExtra, chatExtra, MAX_MESSAGE_FILES, storedExtra } from './files.ts';
import { ReasoningSwitch } from './reasoning-switch.tsx';
import { BesideButton, SettingsButton, useSettingsChips } from './settings-tools.tsx';
import { useDictation, useWriteDown } from './use-dictation.ts';
import { useFiles } from './use-files.ts';
import { type Option, type Sign, useOptions } from './use-options.ts';
import { usePrompt } from './use-prompt.ts';
import { useToAgent } from './use-to-agent.ts';
import { WhoChip } from './who-chip.tsx';

const loadOptionList = () => import('./option-list.tsx');
/** Fetched beside the page: signs come after words. */
const OptionList = lazy(async () => ({ default: (await loadOptionList()).OptionList }));
/** Where a model writes speech down. */
const MicButton = lazy(async () => ({ default: (await import('./mic-button.tsx')).MicButton }));
const PromptForm = lazy(async () => ({ default: (await import('./prompt-form.tsx')).PromptForm }));

/** What is sent. */
export interface Outgoing {
  readonly content: string;
  readonly files: readonly string[];
  readonly extra: ChatExtra;
}

interface ChatComposerProps {
  readonly draft: Draft;
  readonly onDraft: ChangeDraft;
  readonly models: readonly ChatModelOption[];
  readonly settings: AnswerSettings;
  readonly onSettings: (change: Partial<AnswerSettings>) => void;
  /** Undefined: as the model does by itself. */
  readonly reasoning: boolean | undefined;
  readonly onReasoning: (value: boolean) => void;
  readonly running: boolean;
  readonly sendsAtOnce?: boolean;
  /** Id of a prompt that is taken at once. */
  readonly firstPrompt?: string | undefined;
  /** Resolves once the message was accepted. */
  readonly onSend: (outgoing: Outgoing) => Promise<unknown>;
  readonly onStop: () => void;
}

/** Changes what a draft holds beside its text. */
export const changing = (onDraft: ChangeDraft, change: (extra: ChatExtra) => ChatExtra) =>
  onDraft(({ text, extra }) => {
    const next = storedExtra(change(chatExtra(extra)));
    return next === undefined ? { text } : { text, extra: next };
  });

/** The card of a chat: text, files, collections, and who answers. */
export function ChatComposer(props: ChatComposerProps) {
  const { draft, onDraft, models, settings, onSettings, reasoning, onReasoning } = props;
  const { running, sendsAtOnce = false, firstPrompt, onSend, onStop } = props;
  const { t } = useTranslation('chat');
  const extra = chatExtra(draft.extra);
  const { model, collections, modelsBeside } = settings;
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const optionId = (at: number) => `${listId}-${at}`;
  const [asked, setAsked] = useState<Sign | null>(null);
  const onKept = useCallback(
    (change: (files: ChatExtra['files']) => ChatExtra['files']) =>
      changing(onDraft, (old) => ({ ...old, files: change(old.files) })),
    [onDraft],
  );
  const writeDown = useWriteDown();
  const files = useFiles({ kept: extra.files, onKept, writeDown });
  useEffect(() => void loadOptionList(), []);
  const toAgent = useToAgent(onDraft, files.takeOriginals);
  const dictation = useDictation(writeDown, (said) => {
    onDraft((old) => ({ ...old, text: old.text.trim() === '' ? said : `${old.text.trimEnd()} ${said}` }));
    field.current?.focus();
  });
  const chosen = models.find(({ id }) => id === model);
  const answering = [model, ...modelsBeside];
  const blind = answering.find((id) => models.find((one) => one.id === id)?.images !== true);
  const seesPictures = blind === undefined;
  const unseen = !seesPictures && files.files.some(({ kind }) => kind === 'picture');
  const seeing = models.filter(({ images }) => images);
  const choices = useOptions({ text: draft.text, asked, chosen: collections.map(({ id }) => id) });
  const { over, handlers } = useDropArea(({ files: dropped }) => files.add([...dropped]));

  const setCollections = (next: readonly ConversationCollection[]) => onSettings({ collections: next });
  /** Where a prompt goes that was chosen. */
  const place = useRef(0);
  const prompt = usePrompt((text) => {
    const at = place.current;
    onDraft((old) => ({ ...old, text: old.text.slice(0, at) + text + old.text.slice(at) }));
    // Once the text is drawn, and a dialog has given back the focus.
    setTimeout(() => {
      field.current?.focus();
      field.current?.setSelectionRange(at + text.length, at + text.length);
    });
  });
  const takeFirst = useEffectEvent((id: string) => {
    place.current = draft.text.length;
    prompt.take(id);
  });
  useEffect(() => {
    if (firstPrompt !== undefined) takeFirst(firstPrompt);
  }, [firstPrompt]);
  const chips = useSettingsChips({ settings, onSettings });
  /** Takes the sign that was written out of the text. */
  const withoutTrigger = (text: string) => {
    const { trigger } = choices;
    return trigger === null ? text : text.slice(0, trigger.from) + text.slice(trigger.to);
  };
  const choose = ({ sign, key, name }: Option) => {
    const rest = withoutTrigger(draft.text);
    setAsked(null);
    field.current?.focus();
    if (sign === '/') {
      place.current = choices.trigger?.from ?? field.current?.selectionStart ?? rest.length;
      onDraft((old) => ({ ...old, text: rest }));
      prompt.take(key);
      return;
    }
    if (sign === '#') {
      onDraft((old) => ({ ...old, text: rest }));
      setCollections([...collections, { id: key, name }]);
      return;
    }
    void toAgent(key, rest);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const { key, nativeEvent } = event;
    if (choices.sign === null || nativeEvent.isComposing) return false;
    const { options, pointed, setPointed } = choices;
    const used = () => {
      event.preventDefault();
      return true;
    };
    if (key === 'Escape') {
      setAsked(null);
      choices.dismiss();
      return used();
    }
    const option = options[pointed];
    if (option === undefined) return false;
    if (key === 'ArrowDown') setPointed((pointed + 1) % options.length);
    else if (key === 'ArrowUp') setPointed((pointed + options.length - 1) % options.length);
    else if (key === 'Enter' || key === 'Tab') choose(option);
    else return false;
    return used();
  };
  const isListed = choices.sign !== null;
  return (
    // Keys and buttons reach the same; dropping is beside them.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes['zone']} {...handlers}>
      {over ? (
        <div className={classes['dropping']}>
          <Text fw={600}>{t('drop_here')}</Text>
        </div>
      ) : null}
      {choices.sign === null ? null : (
        <Suspense>
          <OptionList
            id={listId}
            optionId={optionId}
            sign={choices.sign}
            options={choices.options}
            isPending={choices.isPending}
            pointed={choices.pointed}
            onPoint={choices.setPointed}
            onChoose={choose}
          />
        </Suspense>
      )}
      <ComposerCard
        field={field}
        label={t('message')}
        placeholder={t(hasRoomForHint() ? 'message_hint' : 'message_hint_touch')}
        draft={draft}
        onDraft={(change) => {
          setAsked(null);
          onDraft(change);
        }}
        onCaret={choices.moved}
        running={running}
        sendsAtOnce={sendsAtOnce}
        disabled={files.hasFailed || unseen}
        uploads={files.uploads}
        sendsEmpty={false}
        onSend={(content) => onSend({ content, files: extra.files.map(({ id }) => id), extra })}
        onStop={onStop}
        onKey={onKey}
        onPaste={(event) => {
          const pasted = [...event.clipboardData.files];
          if (pasted.length === 0) return;
          event.preventDefault();
          files.add(pasted);
        }}
        list={
          isListed
            ? { id: listId, active: choices.options.length > 0 ? optionId(choices.pointed) : undefined }
            : undefined
        }
        above={
          <>
            <FileChips
              files={files.files}
              arriving={files.arriving}
              refused={files.refused}
              collections={collections}
              seesPictures={seesPictures}
              more={chips}
              onDrop={files.drop}
              onDismiss={files.dismiss}
              onCollection={(id) => setCollections(collections.filter((one) => one.id !== id))}
            />
            {unseen ? (
              <Text size="sm" c="red" role="status">
                {seeing.length === 0
                  ? t('no_model_sees')
                  : t('model_sees_not', { model: blind ?? model, models: seeing.map(({ id }) => id).join(', ') })}
              </Text>
            ) : null}
            {dictation.denied ? (
              <Text size="sm" c="red" role="status">
                {t('no_microphone')}
              </Text>
            ) : null}
            <FormAlert error={dictation.error ?? prompt.error} />
            {files.tooMany ? (
              <Text size="sm" c="red" role="status">
                {t('too_many_files', { count: MAX_MESSAGE_FILES })}
              </Text>
            ) : null}
          </>
        }
        beside={
          <>
            <AddMenu
              takesSound={writeDown !== null}
              onFiles={files.add}
              onSign={(sign) => {
                setAsked(sign);
                field.current?.focus();
              }}
            />
            <ReasoningSwitch model={chosen} value={reasoning} onChange={onReasoning} />
            <BesideButton models={models} settings={settings} onSettings={onSettings} />
            <SettingsButton models={models} settings={settings} onSettings={onSettings} />
          </>
        }
        trailing={
          <>
            <WhoChip
              models={models}
              who={{ kind: 'model', id: model }}
              onAgent={(slug) => void toAgent(slug, draft.text)}
              onModel={(id) =>
                onSettings({
                  model: id,
                  ...(modelsBeside.includes(id) ? { modelsBeside: modelsBeside.filter((one) => one !== id) } : {}),
                })
              }
            />
            {writeDown === null ? null : (
              <Suspense>
                <MicButton
                  seconds={dictation.seconds}
                  isWriting={dictation.isWriting}
                  onStart={() => void dictation.start()}
                  onStop={dictation.stop}
                />
              </Suspense>
            )}
          </>
        }
      />
      {prompt.filling === null ? null : (
        <Suspense>
          <PromptForm prompt={prompt.filling} onFilled={prompt.filled} onClose={prompt.cancel} />
        </Suspense>
      )}
    </div>
  );
}
