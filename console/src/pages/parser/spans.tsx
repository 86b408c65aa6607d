import type { ParserSpan } from '@ai-studio/contract/console/parser.ts';
import { Anchor, Code } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

/** A run of text with its looks. Links lead out of the console, in a window of their own. */
function SpanView({ text, bold, italic, strike, code, script, link, math }: ParserSpan) {
  let shown: ReactNode = code || math ? <Code>{text}</Code> : text;
  if (bold) shown = <strong>{shown}</strong>;
  if (italic) shown = <em>{shown}</em>;
  if (strike) shown = <s>{shown}</s>;
  if (script === 'sub') shown = <sub>{shown}</sub>;
  if (script === 'super') shown = <sup>{shown}</sup>;
  if (link !== undefined)
    shown = (
      <Anchor href={link} target="_blank" rel="noopener noreferrer nofollow" underline="always" inherit>
        {shown}
      </Anchor>
    );
  return shown;
}

/** Text as it stands in the document. */
export function Spans({ spans }: { readonly spans: readonly ParserSpan[] }) {
  return spans.map((span, at) => (
    // Runs have no name but their place, and never change.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      <SpanView {...span} />
    </Fragment>
  ));
}

/** The text alone. */
export const plainOf = (spans: readonly ParserSpan[]): string => spans.map(({ text }) => text).join('');
