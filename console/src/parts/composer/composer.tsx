import { ActionIcon, Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertCircle, IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../use-error-message.ts';
import classes from './composer.module.css';
import type { Draft } from './drafts.ts';
import { isSendKey } from './send-key.ts';
import { type ChangeDraft, useDraft } from './use-draft.ts';

/** Files on their way to the service. */
export interface Uploads {
  /** Whether some are not there yet. */
  readonly running: boolean;
  /** How many did not arrive so far. */
  readonly failed: number;
}

const noUploads: Uploads = { running: false, failed: 0 };

interface ComposerCardProps {
  readonly label: string;
  readonly placeholder: string;
  /** An answer is being written: the button ends it. */
  readonly running: boolean;
  readonly disabled?: boolean;
  /** Files that the message brings; it is sent once they are all there. */
  readonly uploads?: Uploads;
  /** Whether it may be sent without a word, with files for example. */
  readonly sendsEmpty?: boolean;
  /**
   * Sends. Where it returns a promise the text stays until that resolves, which means that the message was accepted; where it
   * rejects the text stays, and the error is shown with a way to try again.
   */
  readonly onSend: (text: string) => unknown;
  readonly onStop: () => void;
  /** Above the text: what else goes into the answer. */
  readonly above?: ReactNode;
  /** Below the text: what can be added to it. */
  readonly beside?: ReactNode;
  /** Before the button that sends. */
  readonly trailing?: ReactNode;
  readonly field?: RefObject<HTMLTextAreaElement | null>;
  /** Sees keys before the composer does; true where it has used one. */
  readonly onKey?: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  /** Told where the caret is, after it has moved, and whether an input method is making a syllable there. */
  readonly onCaret?: (at: number, isComposing: boolean) => void;
  readonly onPaste?: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
  /** Sends what is there as soon as the card is. */
  readonly sendsAtOnce?: boolean;
  /** Of a list that stands open for what is being written. */
  readonly list?: { readonly id: string; readonly active: string | undefined } | undefined;
}

interface DraftedProps extends ComposerCardProps {
  readonly draft: Draft;
  readonly onDraft: ChangeDraft;
}

/** A message that the service did not take. */
function NotSent({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  const errorMessage = useErrorMessage();
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      p="sm"
      mb="xs"
      icon={<IconAlertCircle size={18} aria-hidden />}
      title={t('not_sent')}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm">{errorMessage(error)}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          {common('retry')}
        </Button>
      </Group>
    </Alert>
  );
}

/** The card in which people write to a model, with the text that the caller keeps. */
export function ComposerCard(props: DraftedProps) {
  const { label, placeholder, running, disabled = false, uploads = noUploads, sendsEmpty = false } = props;
  const { onSend, onStop, above, beside, trailing, onKey, onPaste, onCaret, draft, onDraft, list } = props;
  const { t } = useTranslation('parts');
  const own = useRef<HTMLTextAreaElement>(null);
  const field = props.field ?? own;
  const composing = useRef(false);
  const { text } = draft;
  const empty = text.trim() === '' && !sendsEmpty;
  const [failure, setFailure] = useState<unknown>(null);
  const [sending, setSending] = useState(false);
  /** Queued until its uploads finish: the number of failed uploads at that time. If it grows, the message is not sent. */
  const [waiting, setWaiting] = useState<number | null>(null);
  const deliver = async () => {
    setSending(true);
    setFailure(null);
    try {
      await onSend(text.trim());
      onDraft(() => ({ text: '' }));
    } catch (error) {
      // Whoever leaves it while it is sent knows that it was not.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailure(error);
    } finally {
      setSending(false);
    }
  };
  const send = () => {
    if (empty || running || disabled || sending) return;
    if (uploads.running) return setWaiting(uploads.failed);
    void deliver();
  };
  const sendWaiting = useEffectEvent(() => {
    if (waiting === uploads.failed) send();
    setWaiting(null);
  });
  useEffect(() => {
    if (waiting === null || uploads.running) return undefined;
    const timer = setTimeout(sendWaiting);
    return () => clearTimeout(timer);
  }, [waiting, uploads.running]);
  const sendAtOnce = useEffectEvent(send);
  const { sendsAtOnce = false } = props;
  useEffect(() => {
    if (!sendsAtOnce) return undefined;
    const timer = setTimeout(sendAtOnce);
    return () => clearTimeout(timer);
  }, [sendsAtOnce]);
  const busy = waiting !== null || sending;
  return (
    <Stack gap={0}>
      {failure === null ? null : (
        <NotSent
          error={failure}
          onRetry={() => {
            field.current?.focus();
            send();
          }}
        />
      )}
      <div className={classes['card']} aria-busy={sending}>
        {above}
        <div className={classes['grow']} data-value={text}>
          <textarea
            ref={field}
            className={classes['field']}
            aria-label={label}
            placeholder={placeholder}
            value={text}
            readOnly={sending}
            rows={1}
            maxLength={200_000}
            {...(list === undefined
              ? {}
              : { 'aria-controls': list.id, 'aria-activedescendant': list.active, 'aria-autocomplete': 'list' })}
            onChange={({ currentTarget, nativeEvent }) => {
              const { value } = currentTarget;
              onDraft((old) => ({ ...old, text: value }));
              composing.current = 'isComposing' in nativeEvent && nativeEvent.isComposing === true;
              onCaret?.(currentTarget.selectionStart, composing.current);
              // Editing the text cancels the queued send.
              setWaiting(null);
            }}
            onPaste={onPaste}
            onSelect={({ currentTarget }) => onCaret?.(currentTarget.selectionStart, composing.current)}
            onCompositionEnd={({ currentTarget }) => {
              composing.current = false;
              onCaret?.(currentTarget.selectionStart, false);
            }}
            onKeyDown={(event) => {
              if (onKey?.(event) === true || !isSendKey(event)) return;
              event.preventDefault();
              send();
            }}
          />
        </div>
        <div className={classes['tools']}>
          {beside}
          <div className={classes['status']} role="status">
            {waiting === null ? (sending ? t('sending') : '') : t('sends_after_upload')}
          </div>
          {trailing}
          {running ? (
            <ActionIcon size={36} radius="xl" variant="filled" color="red" aria-label={t('stop')} onClick={onStop}>
              <IconPlayerStopFilled size={18} aria-hidden />
            </ActionIcon>
          ) : (
            <ActionIcon
              size={36}
              radius="xl"
              variant="filled"
              aria-label={t('send')}
              disabled={empty || disabled}
              loading={busy}
              onClick={send}
            >
              <IconArrowUp size={18} aria-hidden />
            </ActionIcon>
          )}
        </div>
      </div>
    </Stack>
  );
}

interface ComposerProps extends ComposerCardProps {
  /** Where the text belongs: this browser keeps it there until it is sent. Left out: it lasts as long as the component. */
  readonly place?: string;
}

/** The card in which people write to a model. It is made anew (`key`) for another place. */
export function Composer({ place, ...props }: ComposerProps) {
  const [draft, setDraft] = useDraft(place ?? null);
  return <ComposerCard {...props} draft={draft} onDraft={setDraft} />;
}
