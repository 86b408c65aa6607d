import { Mark } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './passage.module.css';

interface PassageMarkProps {
  /** Whether it is the part of a larger passage that was found; else a word of the question. */
  readonly found: boolean;
  readonly children: ReactNode;
}

/** What is marked in a passage. */
export function PassageMark({ found, children }: PassageMarkProps) {
  if (!found) return <Mark>{children}</Mark>;
  return (
    <mark className={classes['found']} data-found>
      {children}
    </mark>
  );
}
