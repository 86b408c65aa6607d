import { Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './source-list.module.css';
import { useFormat } from './use-format.ts';

interface SourceListProps {
  readonly sources: readonly {
    readonly number: number;
    readonly document_name: string;
    readonly page: number | null;
    /** False where the reader may not see it: then it is named, and does not open. */
    readonly opens?: boolean;
  }[];
  /** Why some do not open. */
  readonly closedHint?: string;
  /** Whether a heading stands above it. */
  readonly isHeaded?: boolean;
  readonly onOpen: (number: number, name: string) => void;
}

/** What an answer stands on, by the numbers in its text; each opens its page. Nothing where there is none. */
export function SourceList({ sources, closedHint, isHeaded = false, onOpen }: SourceListProps) {
  const { t } = useTranslation('talk');
  const { number: written } = useFormat();
  if (sources.length === 0) return null;
  return (
    // No landmark: each answer of a talk has its own.
    <div role="group" aria-label={t('sources')}>
      {isHeaded ? (
        <Text size="xs" c="dimmed" mb={4}>
          {t('sources')}
        </Text>
      ) : null}
      <ul className={classes['sources']}>
        {sources.map(({ number, document_name: name, page, opens = true }) => {
          const label = (
            <>
              <b>{number}</b> {name}
              {page === null ? '' : ` · ${t('source_page', { page: written(page) })}`}
            </>
          );
          return (
            <li key={number}>
              {opens ? (
                <UnstyledButton className={classes['source'] ?? ''} onClick={() => onOpen(number, name)}>
                  {label}
                </UnstyledButton>
              ) : (
                <Text span c="dimmed" className={classes['source'] ?? ''} title={closedHint}>
                  {label}
                </Text>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
