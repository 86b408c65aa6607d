import { memo } from 'react';
import ReactMarkdown from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../code/code-block.tsx';
import { splitBlocks } from './blocks.ts';
import { elements } from './elements.tsx';
import { htmlAsText } from './html-as-text.ts';
import type { MarkdownProps } from './props.ts';
import classes from './markdown.module.css';
import { useSteady } from './use-steady.ts';

const remark = [remarkGfm, htmlAsText];
const rehype = [rehypeSanitize];

const TextBlock = memo(function TextBlock({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown remarkPlugins={remark} rehypePlugins={rehype} components={elements}>
      {text}
    </ReactMarkdown>
  );
});
const FencedBlock = memo(CodeBlock);

/** The heavy part of {@link Markdown}, fetched when the first text is shown. */
export function Rendered({ text, growing = false }: MarkdownProps) {
  const blocks = splitBlocks(useSteady(text, growing));
  return (
    <div className={classes['text']}>
      {blocks.map((block, at) =>
        // Blocks before the last do not change; each keeps its place.
        block.kind === 'text' ? (
          // oxlint-disable-next-line react/no-array-index-key
          <TextBlock key={at} text={block.text} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <FencedBlock key={at} code={block.text} language={block.language} done={block.closed || !growing} />
        ),
      )}
    </div>
  );
}
