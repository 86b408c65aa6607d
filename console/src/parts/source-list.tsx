import { Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './source-list.module.css';
import { useFormat } from './use-format.ts';

interface SourceListProps {
  readonly sources: readonly {
    readonly number: number;
    readonly document_name: string;
    readonly page: number | null;
  }[];
  /** Whether a heading stands above it. */
  readonly isHeaded?: boolean;
  readonly onOpen: (number: number, name: string) => void;
}

/** What an answer stands on, by the numbers in its text; each opens its page. Nothing where there is none. */
export function SourceList({ sources, isHeaded = false, onOpen }: SourceListProps) {
  const { t } = useTranslation('talk');
  const { number: written } = useFormat();
  if (sources.length === 0) return null;
  return (
    <section aria-label={t('sources')}>
      {isHeaded ? (
        <Text size="xs" c="dimmed" mb={4}>
          {t('sources')}
        </Text>
      ) : null}
      <ul className={classes['sources']}>
        {sources.map(({ number, document_name: name, page }) => (
          <li key={number}>
            <UnstyledButton className={classes['source'] ?? ''} onClick={() => onOpen(number, name)}>
              <b>{number}</b> {name}
              {page === null ? '' : ` · ${t('source_page', { page: written(page) })}`}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
