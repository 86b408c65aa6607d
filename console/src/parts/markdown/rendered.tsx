import { type ComponentProps, memo, useDeferredValue, useMemo } from 'react';
import ReactMarkdown, { type Options } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkMath from 'remark-math';
import { CodeBlock } from '../code/code-block.tsx';
import { Diagram } from '../diagram/diagram.tsx';
import { splitBlocks } from './blocks.ts';
import { CitedContext } from './cited.tsx';
import { citeMarks } from './cite-marks.ts';
import { elements } from './elements.tsx';
import { htmlAsText } from './html-as-text.ts';
import { datesAsText } from './dates-as-text.ts';
import { koreanMarkdown } from './korean-markdown.ts';
import { markMaths } from './maths/mark-maths.ts';
import type { MarkdownProps } from './props.ts';
import classes from './markdown.module.css';
import { useGrowingText } from './use-growing-text.ts';

type PluggableList = NonNullable<Options['remarkPlugins']>;

/** Single dollars are made double ones where they are meant so. */
const remark: PluggableList = [
  ...koreanMarkdown,
  datesAsText,
  [remarkMath, { singleDollarTextMath: false }],
  htmlAsText,
];
const rehype = [rehypeSanitize];

interface TextBlockProps {
  readonly text: string;
  /** Numbers of the sources, with a comma between: a text is drawn again only when there are others. */
  readonly numbers: string;
}

const TextBlock = memo(function TextBlock({ text, numbers }: TextBlockProps) {
  const plugins = useMemo(
    (): PluggableList =>
      numbers === '' ? remark : [...remark, [citeMarks, { numbers: new Set(numbers.split(',').map(Number)) }]],
    [numbers],
  );
  return (
    <ReactMarkdown remarkPlugins={plugins} rehypePlugins={rehype} components={elements}>
      {markMaths(text)}
    </ReactMarkdown>
  );
});
const FencedBlock = memo(function FencedBlock(props: ComponentProps<typeof CodeBlock>) {
  if (props.language === 'mermaid' && props.done !== false) return <Diagram source={props.code} />;
  return <CodeBlock {...props} />;
});

interface BlocksProps {
  readonly text: string;
  readonly growing: boolean;
  readonly numbers: string;
}

/** Drawn again only when there is more to show, not with each frame of a stream. */
const Blocks = memo(function Blocks({ text, growing, numbers }: BlocksProps) {
  return (
    <div className={classes['text']}>
      {splitBlocks(text).map((block, at) =>
        // Blocks before the last do not change; each keeps its place.
        block.kind === 'text' ? (
          // oxlint-disable-next-line react/no-array-index-key
          <TextBlock key={at} text={block.text} numbers={numbers} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <FencedBlock key={at} code={block.text} language={block.language} done={block.closed || !growing} />
        ),
      )}
    </div>
  );
});

/** Characters of a text that is drawn between what people do: at once it would hold the page up. */
const LONG = 20_000;

/** What is shown of a text now: of one that grows as much as the page keeps up with; a long one comes a moment later. */
function useShownText(text: string, growing: boolean): ReturnType<typeof useGrowingText> {
  const { shown, grows } = useGrowingText(text, growing);
  const deferred = useDeferredValue(shown, shown.length > LONG ? '' : shown);
  // While it grows only its end is new, and a later turn might never come.
  return { shown: grows ? shown : deferred, grows };
}

/** The heavy part of {@link Markdown}, fetched when the first text is shown. */
export function MarkdownRenderer({ text, growing = false, sources = [], onSource }: MarkdownProps) {
  const numbers = onSource === undefined ? '' : sources.map(({ number }) => number).join(',');
  const { shown, grows } = useShownText(text, growing);
  const blocks = <Blocks text={shown} growing={grows} numbers={numbers} />;
  if (onSource === undefined) return blocks;
  return <CitedContext value={{ sources, onOpen: onSource }}>{blocks}</CitedContext>;
}
