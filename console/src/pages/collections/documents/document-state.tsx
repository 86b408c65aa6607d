import type { Document } from '@ai-studio/contract/retrieval/document.ts';
import { parseFailures } from '@ai-studio/contract/utilities/document.ts';
import { Badge, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useWarningMessage } from '../../../parts/use-warning-message.ts';
import classes from '../collections.module.css';
import { isOpen } from '../queries.ts';

const ownCodes = [
  'DUPLICATE',
  'EMPTY',
  'FILE_LOST',
  'EMBEDDING_REFUSED',
  'EMBEDDING_UNAVAILABLE',
  'EMBEDDING_SLOW',
  'EMBEDDING_UNUSABLE',
  'EMBEDDING_DIMENSION',
  'INDEX_UNAVAILABLE',
  'STORAGE_FULL',
  'UNAVAILABLE',
] as const;

/** Why a document failed or waits, in words, and what to do about it. */
export function useFailureMessage(): (code: string) => { readonly title: string; readonly hint: string } {
  const { t } = useTranslation('collectionsPage');
  const { t: parser } = useTranslation('parser');
  return (code) => {
    const read = parseFailures.find((known) => known === code);
    if (read !== undefined) return { title: parser(`failures.${read}.title`), hint: parser(`failures.${read}.hint`) };
    const own = ownCodes.find((known) => known === code) ?? 'other';
    return { title: t(`failures.${own}.title`), hint: t(`failures.${own}.hint`) };
  };
}

const colorOf = ({ state }: Document) =>
  state === 'ready' ? 'green' : state === 'failed' ? 'red' : state === 'queued' ? 'gray' : 'blue';

/** More are in the document itself. */
const MAX_WARNINGS = 3;

/** How far a document is, or why it is not. */
export function DocumentState({ document }: { readonly document: Document }) {
  const { t } = useTranslation('collectionsPage');
  const words = useFailureMessage();
  const warningWords = useWarningMessage();
  const { state, progress, error, searchable, warnings } = document;
  const told = error === null ? null : words(error.code);
  const failed = state === 'failed';
  return (
    <Stack gap={4} miw={96}>
      <Badge variant="light" color={colorOf(document)} tt="none" className={classes['badge'] ?? ''}>
        {t(`states.${state}`)}
      </Badge>
      {isOpen(document) && state !== 'queued' ? (
        <Progress size="xs" value={progress * 100} aria-label={t(`states.${state}`)} />
      ) : null}
      {told === null ? null : (
        <Text size="xs" c={failed ? 'var(--mantine-color-error)' : 'dimmed'}>
          {told.title}. {told.hint}
        </Text>
      )}
      {warnings.slice(0, MAX_WARNINGS).map(({ code, message, page = null }) => (
        <Text key={`${code} ${page}`} size="xs" c="dimmed">
          {warningWords({ code, message, page })}
        </Text>
      ))}
      {searchable && state !== 'ready' ? (
        <Text size="xs" c="dimmed">
          {t('still_searchable')}
        </Text>
      ) : null}
    </Stack>
  );
}
