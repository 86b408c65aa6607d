import { Group, Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../copy-button.tsx';
import classes from './code.module.css';
import { languageOf } from './languages.ts';
import type { Tokens } from './highlight.ts';
import { useTokens } from './use-tokens.ts';

interface CodeBlockProps {
  readonly code: string;
  /** What stands after a fence, such as `python` or `ts`. */
  readonly language?: string | null;
  /** False while the code still grows: then it is not coloured. */
  readonly done?: boolean;
  /** Words for those who do not see it. */
  readonly label?: string;
  /** Long lines go on below: for what is read rather than run. */
  readonly wraps?: boolean;
}

const textOf = (line: Tokens[number]) => line.map(({ text }) => text).join('');

interface LineProps {
  readonly pieces: Tokens[number];
  readonly coloured: boolean;
  /** Whether another line follows. */
  readonly goesOn: boolean;
}

/** Drawn once without colours, and once with them. */
const Line = memo(function Line({ pieces, coloured, goesOn }: LineProps) {
  const end = goesOn ? '\n' : '';
  if (!coloured) return textOf(pieces) + end;
  return (
    <>
      {pieces.map(({ text, kind, italic }, at) =>
        kind === null && !italic ? (
          text
        ) : (
          // Pieces have no name but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={at} className={kind === null ? undefined : classes[kind]} data-italic={italic || undefined}>
            {text}
          </span>
        ),
      )}
      {end}
    </>
  );
});

/** Code as it is written, with its colours when they are there, and a button that copies it. */
export function CodeBlock({ code, language = null, done = true, label, wraps = false }: CodeBlockProps) {
  const { t } = useTranslation('parts');
  const highlighted = useTokens(code, done ? languageOf(language) : null);
  const name = label ?? language ?? t('code');
  return (
    <figure className={classes['block']}>
      <Group className={classes['head'] ?? ''} justify="space-between" wrap="nowrap">
        <Text size="xs" c="dimmed" component="figcaption">
          {language ?? ''}
        </Text>
        <CopyButton value={code} label={t('copy_code')} />
      </Group>
      {/* Code that is wider than its place is scrolled by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="group" className={classes['scroll']} tabIndex={0} aria-label={name}>
        <pre className={classes['code']} data-wraps={wraps}>
          <code>
            {highlighted === null
              ? code
              : highlighted.tokens.map((pieces, at) => (
                  <Line
                    // Lines have no name but their place.
                    // oxlint-disable-next-line react/no-array-index-key
                    key={at}
                    pieces={pieces}
                    coloured={at < highlighted.count}
                    goesOn={at < highlighted.tokens.length - 1}
                  />
                ))}
          </code>
        </pre>
      </div>
    </figure>
  );
}
