import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import type { ConversationCollection } from '@ai-studio/contract/console/conversation-parts.ts';
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useCallback, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ComposerCard } from '../../parts/composer/composer.tsx';
import { writeDraft } from '../../parts/composer/drafts.ts';
import { hasTouchKeyboard } from '../../parts/composer/send-key.ts';
import { type ChangeDraft, useDraft, useDraftOwner } from '../../parts/composer/use-draft.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useDropArea } from '../../parts/use-drop-area.ts';
import { deployedPath } from './agents.ts';
import classes from './composer.module.css';
import { AddMenu, ModelChip } from './composer-tools.tsx';
import { FileChips } from './file-chips.tsx';
import { type ChatExtra, chatExtra, MAX_MESSAGE_FILES, storedExtra } from './files.ts';
import { MicButton } from './mic-button.tsx';
import { OptionList, optionId } from './option-list.tsx';
import { ReasoningSwitch } from './reasoning-switch.tsx';
import { useDictation, useWriteDown } from './use-dictation.ts';
import { useFiles } from './use-files.ts';
import { type Option, type Sign, useOptions } from './use-options.ts';

/** What is sent. */
export interface Outgoing {
  readonly content: string;
  readonly files: readonly string[];
  readonly extra: ChatExtra;
}

interface ChatComposerProps {
  /** Where the browser keeps what is written. */
  readonly place: string;
  readonly models: readonly ChatModelOption[];
  readonly model: string;
  readonly onModel: (model: string) => void;
  /** Undefined: as the model does by itself. */
  readonly reasoning: boolean | undefined;
  readonly onReasoning: (value: boolean) => void;
  /** Null: those of the draft, as the conversation is not there yet. */
  readonly collections: readonly ConversationCollection[] | null;
  readonly onCollections: (collections: readonly ConversationCollection[]) => void;
  readonly running: boolean;
  readonly sendsAtOnce?: boolean;
  /** Resolves once the message was accepted. */
  readonly onSend: (outgoing: Outgoing) => Promise<unknown>;
  readonly onStop: () => void;
}

/** Changes what a draft holds beside its text. */
const changing = (onDraft: ChangeDraft, change: (extra: ChatExtra) => ChatExtra) =>
  onDraft(({ text, extra }) => {
    const next = storedExtra(change(chatExtra(extra)));
    return next === undefined ? { text } : { text, extra: next };
  });

/** The card of a chat: text, files, collections, and who answers. */
export function ChatComposer(props: ChatComposerProps) {
  const { place, models, model, onModel, reasoning, onReasoning, running, sendsAtOnce = false, onSend, onStop } = props;
  const { t } = useTranslation('chat');
  const navigate = useNavigate();
  const owner = useDraftOwner();
  const [draft, onDraft] = useDraft(place);
  const extra = chatExtra(draft.extra);
  const collections = props.collections ?? extra.collections;
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [asked, setAsked] = useState<Sign | null>(null);
  const onKept = useCallback(
    (change: (files: ChatExtra['files']) => ChatExtra['files']) =>
      changing(onDraft, (old) => ({ ...old, files: change(old.files) })),
    [onDraft],
  );
  const writeDown = useWriteDown();
  const files = useFiles({ kept: extra.files, onKept, writeDown });
  const dictation = useDictation(writeDown, (said) => {
    onDraft((old) => ({ ...old, text: old.text.trim() === '' ? said : `${old.text.trimEnd()} ${said}` }));
    field.current?.focus();
  });
  const chosen = models.find(({ id }) => id === model);
  const seesPictures = chosen?.images ?? false;
  const unseen = !seesPictures && files.files.some(({ kind }) => kind === 'picture');
  const seeing = models.filter(({ images }) => images);
  const choices = useOptions({ text: draft.text, asked, chosen: collections.map(({ id }) => id) });
  const { over, handlers } = useDropArea(({ files: dropped }) => files.add([...dropped]));

  const setCollections = (next: readonly ConversationCollection[]) => {
    if (props.collections === null) changing(onDraft, (old) => ({ ...old, collections: next }));
    else props.onCollections(next);
  };
  /** Takes the sign that was written out of the text. */
  const withoutTrigger = (text: string) => {
    const { trigger } = choices;
    return trigger === null ? text : text.slice(0, trigger.from) + text.slice(trigger.to);
  };
  const choose = ({ sign, key, name }: Option) => {
    const rest = withoutTrigger(draft.text);
    setAsked(null);
    field.current?.focus();
    if (sign === '#') {
      onDraft((old) => ({ ...old, text: rest }));
      setCollections([...collections, { id: key, name }]);
      return;
    }
    // The words go along to the agent.
    onDraft((old) => ({ ...old, text: '' }));
    writeDraft(localStorage, owner, `${deployedPath(key)}/new deployed`, { text: rest.trim() });
    void navigate({ to: '/chat/agents/$slug', params: { slug: key } });
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
        <OptionList
          id={listId}
          sign={choices.sign}
          options={choices.options}
          isPending={choices.isPending}
          pointed={choices.pointed}
          onPoint={choices.setPointed}
          onChoose={choose}
        />
      )}
      <ComposerCard
        field={field}
        label={t('message')}
        placeholder={t(hasTouchKeyboard() ? 'message_hint_touch' : 'message_hint')}
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
            ? { id: listId, active: choices.options.length > 0 ? optionId(listId, choices.pointed) : undefined }
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
              onDrop={files.drop}
              onDismiss={files.dismiss}
              onCollection={(id) => setCollections(collections.filter((one) => one.id !== id))}
            />
            {unseen ? (
              <Text size="sm" c="red" role="status">
                {seeing.length === 0
                  ? t('no_model_sees')
                  : t('model_sees_not', { model, models: seeing.map(({ id }) => id).join(', ') })}
              </Text>
            ) : null}
            {dictation.denied ? (
              <Text size="sm" c="red" role="status">
                {t('no_microphone')}
              </Text>
            ) : null}
            <FormAlert error={dictation.error} />
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
          </>
        }
        trailing={
          <>
            <ModelChip models={models} value={model} onChange={onModel} />
            {writeDown === null ? null : (
              <MicButton
                seconds={dictation.seconds}
                isWriting={dictation.isWriting}
                onStart={() => void dictation.start()}
                onStop={dictation.stop}
              />
            )}
          </>
        }
      />
    </div>
  );
}
