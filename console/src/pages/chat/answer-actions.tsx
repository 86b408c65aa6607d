import type { ChatModelOption, ConversationMessage } from '@ai-studio/contract/console/conversations.ts';
import { ActionIcon, Menu, Text, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconMarkdown, IconPlayerTrackNext, IconRefresh } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyAnswer } from '../../parts/answer/copy-answer.tsx';
import { Feedback } from '../../parts/answer/feedback.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useRated } from './use-rated.ts';
import classes from './chat.module.css';

/** Fetched beside the page: it stands below an answer that is there. */
const SpeakButton = lazy(async () => ({ default: (await import('../../parts/answer/speak-button.tsx')).SpeakButton }));

interface VersionsProps {
  readonly message: Pick<ConversationMessage, 'id' | 'versions'>;
  /** Null while an answer is written. */
  readonly onShow: ((messageId: string) => void) | null;
}

/** From one version of a message to the next: other words, other answers. */
export function Versions({ message: { id, versions }, onShow }: VersionsProps) {
  const { t } = useTranslation('chat');
  if (versions.length < 2) return null;
  const at = versions.indexOf(id);
  const step = (to: number, label: string, Arrow: typeof IconChevronLeft) => {
    const target = versions[to];
    return (
      <ActionIcon
        size={28}
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={target === undefined || onShow === null}
        onClick={() => {
          if (target !== undefined) onShow?.(target);
        }}
      >
        <Arrow size={16} aria-hidden />
      </ActionIcon>
    );
  };
  return (
    <div className={classes['versions']} role="group" aria-label={t('versions')}>
      {step(at - 1, t('version_before'), IconChevronLeft)}
      <Text span size="xs" c="dimmed">
        {t('version_of', { number: at + 1, total: versions.length })}
      </Text>
      {step(at + 1, t('version_after'), IconChevronRight)}
    </div>
  );
}

interface AgainProps {
  readonly models: readonly ChatModelOption[];
  /** Asks for another answer, of this model; undefined: of that of the conversation. */
  readonly onAgain: (model: string | undefined) => void;
}

/** Another answer, of the same model or another one. */
function Again({ models, onAgain }: AgainProps) {
  const { t } = useTranslation('chat');
  const button = (onClick?: () => void) => (
    <ActionIcon variant="subtle" color="gray" aria-label={t('again')} onClick={onClick}>
      <IconRefresh size={16} aria-hidden />
    </ActionIcon>
  );
  if (models.length < 2) return <Tooltip label={t('again')}>{button(() => onAgain(undefined))}</Tooltip>;
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>{button()}</Menu.Target>
      <Menu.Dropdown mah="20rem" className={classes['menu'] ?? ''}>
        <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => onAgain(undefined)}>
          {t('again_same')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('again_with')}</Menu.Label>
        {models.map(({ id }) => (
          <Menu.Item key={id} onClick={() => onAgain(id)}>
            {id}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface AnswerActionsProps {
  readonly conversationId: string;
  readonly message: ConversationMessage;
  readonly models: readonly ChatModelOption[];
  /** Null while another answer is written. */
  readonly onAgain: ((model: string | undefined) => void) | null;
  /** Null where there is nothing to go on with. */
  readonly onContinue: (() => void) | null;
}

/** What can be done with an answer. */
export function AnswerActions({ conversationId, message, models, onAgain, onContinue }: AnswerActionsProps) {
  const { t } = useTranslation('chat');
  const { id, content, feedback } = message;
  const onRated = useRated(conversationId);
  return (
    <>
      {onContinue === null ? null : (
        <Tooltip label={t('go_on')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('go_on')} onClick={onContinue}>
            <IconPlayerTrackNext size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {content === '' ? null : (
        <>
          <Feedback
            address={`/conversations/${conversationId}/messages/${id}`}
            given={feedback}
            isTold={false}
            onChange={(given) => onRated(id, given)}
          />
          <Suspense>
            <SpeakButton text={content} />
          </Suspense>
          <CopyAnswer text={content} label={t('copy_answer')} />
          <CopyButton value={content} label={t('copy_markdown')} icon={IconMarkdown} />
        </>
      )}
      {onAgain === null ? null : <Again models={models} onAgain={onAgain} />}
    </>
  );
}
