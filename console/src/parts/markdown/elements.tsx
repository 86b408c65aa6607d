import { Anchor, Code, Table, VisuallyHidden } from '@mantine/core';
import { IconSquare, IconSquareCheck } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { Components } from 'react-markdown';
import { CodeBlock } from '../code/code-block.tsx';
import { CITATION_HREF } from './cite-marks.ts';
import { CiteMark } from './cited.tsx';
import { Formula } from './maths/formula.tsx';

type Node = Parameters<Extract<Components['pre'], (props: never) => unknown>>[0]['node'];

/** The text below a node of the tree. */
function textOf(node: Node | undefined): string {
  return (node?.children ?? [])
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('');
}

/** Code that is not at the margin, in a list for example. */
function Pre({ node }: { readonly node?: Node | undefined }) {
  const [code] = node?.children ?? [];
  const names = code?.type === 'element' ? code.properties['className'] : [];
  const language = Array.isArray(names) ? names.find((name) => String(name).startsWith('language-')) : undefined;
  if (language === MATHS) return <Formula tex={textOf(node).trim()} display />;
  return <CodeBlock code={textOf(node).replace(/\n$/, '')} language={language ? String(language).slice(9) : null} />;
}

/** How formulas are marked in the tree: sanitising leaves it alone. */
const MATHS = 'language-math';

function InlineCode({ className, children, node }: ComponentProps<'code'> & { readonly node?: Node | undefined }) {
  if (className?.includes(MATHS) === true) return <Formula tex={textOf(node)} display={false} />;
  return <Code>{children}</Code>;
}

function Link({ href = '', children }: ComponentProps<'a'>) {
  const { t } = useTranslation('parts');
  if (href.startsWith(CITATION_HREF)) return <CiteMark number={Number(href.slice(CITATION_HREF.length))} />;
  if (!/^(?:https?:|mailto:)/i.test(href)) return <span>{children}</span>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" underline="always">
      {children}
      <VisuallyHidden> ({t('opens_elsewhere')})</VisuallyHidden>
    </Anchor>
  );
}

/** Nothing is loaded from another host: the picture is a link. */
function Picture({ src, alt = '' }: ComponentProps<'img'>) {
  const { t } = useTranslation('parts');
  const words = t('image_blocked', { alt });
  return typeof src === 'string' && src !== '' ? <Link href={src}>{words}</Link> : <span>{words}</span>;
}

function TaskMark({ checked }: ComponentProps<'input'>) {
  const { t } = useTranslation('parts');
  const Mark = checked ? IconSquareCheck : IconSquare;
  return <Mark size={16} role="img" aria-label={checked ? t('task_done') : t('task_open')} />;
}

function WideTable({ children }: ComponentProps<'table'>) {
  const { t } = useTranslation('parts');
  return (
    <Table.ScrollContainer minWidth={320} type="native" mb="md" tabIndex={0} role="group" aria-label={t('table')}>
      <Table withTableBorder>{children}</Table>
    </Table.ScrollContainer>
  );
}

/** How the elements of an answer are shown. Headings begin below those of the page. */
export const elements: Components = {
  pre: Pre,
  code: InlineCode,
  a: Link,
  img: Picture,
  input: TaskMark,
  table: WideTable,
  thead: ({ children }) => <Table.Thead>{children}</Table.Thead>,
  tbody: ({ children }) => <Table.Tbody>{children}</Table.Tbody>,
  tr: ({ children }) => <Table.Tr>{children}</Table.Tr>,
  th: ({ children, style }) => <Table.Th style={style}>{children}</Table.Th>,
  td: ({ children, style }) => <Table.Td style={style}>{children}</Table.Td>,
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
};
