import { UnstyledButton } from '@mantine/core';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './markdown.module.css';

/** A source that a text cites. */
export interface CitedSource {
  readonly number: number;
  /** What people call it. */
  readonly name: string;
}

interface CitationContextValue {
  readonly sources: readonly CitedSource[];
  readonly onOpen: (number: number) => void;
}

/** The sources of the text that is shown; null where it has none. */
export const CitedContext = createContext<CitationContextValue | null>(null);

/** The mark of a source in a text: opens it. */
export function CiteMark({ number }: { readonly number: number }) {
  const { t } = useTranslation('talk');
  const cites = useContext(CitedContext);
  const name = cites?.sources.find((one) => one.number === number)?.name ?? '';
  return (
    <UnstyledButton
      className={classes['cite'] ?? ''}
      data-source={number}
      aria-label={t('source_of', { number, name })}
      title={name}
      onClick={() => cites?.onOpen(number)}
    >
      {number}
    </UnstyledButton>
  );
}
