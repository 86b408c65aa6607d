import type { ParserContent } from '@ai-studio/contract/console/parser.ts';
import { useTranslation } from 'react-i18next';
import classes from './content.module.css';
import { Spans, plainOf } from './spans.tsx';
import { TableView } from './table-view.tsx';

/** The page has the heading of level 1. */
const headings = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

function Contents({ content }: { readonly content: readonly ParserContent[] }) {
  // Blocks have no name but their place, and never change.
  // oxlint-disable-next-line react/no-array-index-key
  return content.map((one, at) => <ContentView key={at} content={one} />);
}

/** What a cell holds. */
export const writeContents = (content: readonly ParserContent[]) => <Contents content={content} />;

/** What a block holds, as it is read: made of elements of our own, never of the file's. */
export function ContentView({ content }: { readonly content: ParserContent }) {
  const { t } = useTranslation('parser');
  switch (content.type) {
    case 'heading': {
      const Name = headings[content.level - 1] ?? 'h6';
      return (
        <Name className={classes['heading']} data-level={content.level}>
          <Spans spans={content.spans} />
        </Name>
      );
    }
    case 'paragraph':
      return (
        <p className={classes['text']} data-role={content.role}>
          <Spans spans={content.spans} />
        </p>
      );
    case 'list':
      return (
        <ul className={classes['list']}>
          {content.items.map(({ level, marker, spans }, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at} style={{ paddingInlineStart: `${Math.min(level, 8) * 1.25}rem` }}>
              {marker === '' ? null : <span className={classes['marker']}>{marker}</span>}
              <span>
                <Spans spans={spans} />
              </span>
            </li>
          ))}
        </ul>
      );
    case 'table':
      return <TableView table={content} write={writeContents} />;
    case 'image':
      return (
        <figure className={classes['figure']}>
          <p className={classes['pictureText']}>{content.text ?? t('no_text')}</p>
          {content.caption === undefined ? null : (
            <figcaption>
              <Spans spans={content.caption} />
            </figcaption>
          )}
        </figure>
      );
    case 'equation':
      return <pre className={classes['code']}>{content.latex}</pre>;
    case 'code':
      return <pre className={classes['code']}>{content.text}</pre>;
    case 'footnote':
      return (
        <div className={classes['note']} role="note" aria-label={t(`notes.${content.kind}`)}>
          <span className={classes['marker']}>{content.marker}</span>
          <div>
            <Contents content={content.content} />
          </div>
        </div>
      );
    case 'header':
    case 'footer':
      return (
        <div className={classes['margin']}>
          <Contents content={content.content} />
        </div>
      );
  }
}

/** The text of a block on one line, for its name. */
export function briefOf(content: ParserContent): string {
  switch (content.type) {
    case 'heading':
    case 'paragraph':
      return plainOf(content.spans);
    case 'list':
      return content.items.map(({ marker, spans }) => `${marker} ${plainOf(spans)}`.trim()).join(' ');
    case 'table':
      return [
        plainOf(content.caption ?? []),
        ...content.cells.slice(0, 12).map((cell) => cell.content.map(briefOf).join(' ')),
      ]
        .filter((text) => text !== '')
        .join(' · ');
    case 'image':
      return content.text ?? plainOf(content.caption ?? []);
    case 'equation':
      return content.latex;
    case 'code':
      return content.text;
    case 'footnote':
    case 'header':
    case 'footer':
      return content.content.map(briefOf).join(' ');
  }
}
