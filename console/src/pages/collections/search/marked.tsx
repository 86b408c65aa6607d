import { Mark } from '@mantine/core';
import { Fragment } from 'react';

interface Span {
  readonly start: number;
  readonly end: number;
}

interface MarkedProps {
  readonly text: string;
  /** In order and apart from each other. */
  readonly spans: readonly Span[];
}

/** A text in which places are marked. */
export function Marked({ text, spans }: MarkedProps) {
  return (
    <>
      {spans.map(({ start, end }, at) => (
        <Fragment key={start}>
          {text.slice(spans[at - 1]?.end ?? 0, start)}
          <Mark>{text.slice(start, end)}</Mark>
        </Fragment>
      ))}
      {text.slice(spans.at(-1)?.end ?? 0)}
    </>
  );
}
