import { Group, Text } from '@mantine/core';
import { Fragment } from 'react';
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

const ITALIC = 1;

function Line({ tokens }: { readonly tokens: Tokens[number] }) {
  return tokens.map(({ content, color, fontStyle = 0, offset }) => (
    <span key={offset} style={{ color, fontStyle: fontStyle === ITALIC ? 'italic' : undefined }}>
      {content}
    </span>
  ));
}

/** Code as it is written, with its colours when they are there, and a button that copies it. */
export function CodeBlock({ code, language = null, done = true, label, wraps = false }: CodeBlockProps) {
  const { t } = useTranslation('parts');
  const tokens = useTokens(code, done ? languageOf(language) : null);
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
            {tokens === null
              ? code
              : tokens.map((line, at) => (
                  // Lines have no name but their place.
                  // oxlint-disable-next-line react/no-array-index-key
                  <Fragment key={at}>
                    <Line tokens={line} />
                    {at < tokens.length - 1 ? '\n' : ''}
                  </Fragment>
                ))}
          </code>
        </pre>
      </div>
    </figure>
  );
}
