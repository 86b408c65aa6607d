import { useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import { elements } from '../markdown/elements.tsx';
import { koreanMarkdown } from '../markdown/korean-markdown.ts';
import { HtmlTable } from './html-table.tsx';
import { passageParts } from './html-tables.ts';
import { inlineHtml } from './inline-html.ts';
import { layered } from './layers.ts';
import { type TextSpan, enclosedMarks, FOUND, markSpans } from './marks.ts';
import { PassageMark } from './passage-mark.tsx';
import markdown from '../markdown/markdown.module.css';
import type { PassageProps } from './props.ts';

const rehype: Options['rehypePlugins'] = [
  [
    rehypeSanitize,
    {
      ...defaultSchema,
      tagNames: [...(defaultSchema.tagNames ?? []), 'mark', 'u'],
      attributes: { ...defaultSchema.attributes, mark: [['className', FOUND]] },
    },
  ],
];

const passageElements: Components = {
  ...elements,
  mark: ({ children, className }) => <PassageMark found={className === FOUND}>{children}</PassageMark>,
};
/** Code with marked words is drawn without colours, which would take their place. */
const markedElements: Components = {
  ...passageElements,
  pre: ({ children, node, ...rest }) => {
    const [code] = node?.children ?? [];
    const isWhole = code?.type === 'element' && code.tagName === 'code';
    const { pre: Pre } = elements;
    return isWhole && typeof Pre === 'function' ? <Pre node={node} {...rest} /> : <pre>{children}</pre>;
  },
};

const within = (spans: readonly TextSpan[], start: number, length: number): readonly TextSpan[] =>
  spans
    .map((span) => ({ ...span, start: span.start - start, end: span.end - start }))
    .filter((span) => span.end > 0 && span.start < length)
    // What was found may reach over several parts, each of which is drawn by itself.
    .map((span) =>
      span.found === true ? { ...span, start: Math.max(0, span.start), end: Math.min(length, span.end) } : span,
    );

function MarkdownPart({ text, spans }: { readonly text: string; readonly spans: readonly TextSpan[] }) {
  const remark = useMemo(
    (): Options['remarkPlugins'] => [...koreanMarkdown, [markSpans, { source: text, spans }], inlineHtml],
    [text, spans],
  );
  return (
    <div className={markdown['text']}>
      <ReactMarkdown remarkPlugins={remark} rehypePlugins={rehype} components={markedElements}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

const none: readonly TextSpan[] = [];

/** The heavy part of {@link PassageView}, fetched when the first passage is shown. */
export function PassageRenderer({ text, spans = none, found = none }: PassageProps) {
  const parts = useMemo(() => {
    const all = layered(text, spans, found);
    return passageParts(text).map((part) => ({ ...part, spans: within(all, part.start, part.text.length) }));
  }, [text, spans, found]);
  return parts.map(({ kind, text: own, spans: inPart, start }) =>
    kind === 'table' ? (
      <HtmlTable key={start} html={enclosedMarks(own, inPart)} />
    ) : (
      <MarkdownPart key={start} text={own} spans={inPart} />
    ),
  );
}
