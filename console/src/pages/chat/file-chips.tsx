import type { ConversationFile, MessageFile } from '@ai-studio/contract/console/conversation-parts.ts';
import { CloseButton, Loader, Progress, Text } from '@mantine/core';
import { IconAlertCircle, IconBooks, IconFileText } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../../parts/use-error-message.ts';
import { useFormat } from '../../parts/use-format.ts';
import { pictureAddress } from './files.ts';
import classes from './composer.module.css';
import type { Arriving, Refused } from './use-files.ts';

interface ChipProps {
  readonly icon: ReactNode;
  readonly name: string;
  readonly detail?: string | undefined;
  readonly isFaulty?: boolean;
  /** Share that is done, 0 to 1; left out where nothing is under way. */
  readonly progress?: number | undefined;
  readonly removeLabel: string;
  readonly onRemove: () => void;
}

/** Something that goes into the next answer, with a way to take it out. */
export function Chip({ icon, name, detail, isFaulty = false, progress, removeLabel, onRemove }: ChipProps) {
  return (
    <li className={classes['chip']} data-faulty={isFaulty}>
      {icon}
      <div className={classes['chipText']}>
        <Text size="sm" truncate>
          {name}
        </Text>
        {detail === undefined ? null : (
          <Text size="xs" c={isFaulty ? 'red' : 'dimmed'} className={classes['chipDetail'] ?? ''}>
            {detail}
          </Text>
        )}
        {progress === undefined ? null : (
          <Progress size={3} value={Math.max(4, progress * 100)} aria-label={name} mt={2} />
        )}
      </div>
      <CloseButton size="sm" aria-label={removeLabel} onClick={onRemove} />
    </li>
  );
}

const failureKeys = {
  ENCRYPTED: 'file_failed.encrypted',
  NEEDS_OCR: 'file_failed.needs_ocr',
  NO_TEXT: 'file_failed.no_text',
  UNSUPPORTED: 'file_failed.unsupported',
  TOO_LARGE: 'file_failed.too_large',
  TIMEOUT: 'file_failed.timeout',
  GONE: 'file_failed.gone',
} as const;

const failureKey = (code: string | null) =>
  failureKeys[code as keyof typeof failureKeys] ?? ('file_failed.unreadable' as const);

interface FileChipsProps {
  readonly files: readonly ConversationFile[];
  readonly arriving: readonly Arriving[];
  readonly refused: readonly Refused[];
  readonly collections: readonly { readonly id: string; readonly name: string }[];
  /** Whether the model that answers takes pictures. */
  readonly seesPictures: boolean;
  /** What else goes into the answer, before the files. */
  readonly more?: ReactNode;
  readonly onDrop: (id: string) => void;
  readonly onDismiss: (key: number) => void;
  readonly onCollection: (id: string) => void;
}

/** Everything that goes into the next answer beside the text, each with a way to take it out. */
export function FileChips(props: FileChipsProps) {
  const { files, arriving, refused, collections, seesPictures, more, onDrop, onDismiss, onCollection } = props;
  const { t } = useTranslation('chat');
  const { bytes } = useFormat();
  const errorMessage = useErrorMessage();
  if (files.length + arriving.length + refused.length + collections.length === 0 && more == null) return null;
  const detailOf = ({ kind, state, error, size, pages }: ConversationFile): string => {
    if (state === 'failed') return t(failureKey(error));
    if (kind === 'picture') return seesPictures ? bytes(size) : t('picture_unseen');
    if (state === 'reading') return t('file_reading');
    return pages === null || pages < 2 ? bytes(size) : t('file_pages', { pages, size: bytes(size) });
  };
  return (
    <ul className={classes['chips']} aria-label={t('goes_along')}>
      {more}
      {collections.map(({ id, name }) => (
        <Chip
          key={id}
          icon={<IconBooks size={18} aria-hidden />}
          name={name}
          removeLabel={t('take_out', { name })}
          onRemove={() => onCollection(id)}
        />
      ))}
      {files.map((file) => {
        const isFaulty = file.state === 'failed' || (file.kind === 'picture' && !seesPictures);
        return (
          <Chip
            key={file.id}
            icon={
              file.kind === 'picture' ? (
                <img className={classes['thumb']} src={pictureAddress(file.id)} alt="" />
              ) : file.state === 'reading' ? (
                <Loader size={16} aria-hidden />
              ) : isFaulty ? (
                <IconAlertCircle size={18} aria-hidden />
              ) : (
                <IconFileText size={18} aria-hidden />
              )
            }
            name={file.name}
            detail={detailOf(file)}
            isFaulty={isFaulty}
            progress={file.state === 'reading' ? file.progress : undefined}
            removeLabel={t('take_out', { name: file.name })}
            onRemove={() => onDrop(file.id)}
          />
        );
      })}
      {arriving.map(({ key, name, sent, abort }) => (
        <Chip
          key={`arriving ${key}`}
          icon={<Loader size={16} aria-hidden />}
          name={name}
          detail={t('file_arriving')}
          progress={sent}
          removeLabel={t('take_out', { name })}
          onRemove={() => abort.abort()}
        />
      ))}
      {refused.map(({ key, name, error }) => (
        <Chip
          key={`refused ${key}`}
          icon={<IconAlertCircle size={18} aria-hidden />}
          name={name}
          detail={errorMessage(error)}
          isFaulty
          removeLabel={t('take_out', { name })}
          onRemove={() => onDismiss(key)}
        />
      ))}
    </ul>
  );
}

/** The files that a message brought. */
export function SentFiles({ files }: { readonly files: readonly MessageFile[] }) {
  const { t } = useTranslation('chat');
  const { bytes } = useFormat();
  if (files.length === 0) return null;
  return (
    <ul className={classes['sent']} aria-label={t('files_of_message')}>
      {files.map(({ id, name, size, kind }) =>
        kind === 'picture' ? (
          <li key={id}>
            <a href={pictureAddress(id)} target="_blank" rel="noreferrer" className={classes['picture']}>
              <img src={pictureAddress(id)} alt={t('picture_of', { name })} loading="lazy" />
            </a>
          </li>
        ) : (
          <li key={id} className={classes['chip']}>
            <IconFileText size={18} aria-hidden />
            <div className={classes['chipText']}>
              <Text size="sm" truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {bytes(size)}
              </Text>
            </div>
          </li>
        ),
      )}
    </ul>
  );
}
