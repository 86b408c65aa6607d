import type { Span } from '../../document.ts';
import { isWritableLink } from '../links.ts';
import { escapeXml } from '../xml.ts';

/** What runs need of the part that they stand in. */
export interface RunContext {
  /** Id of the relation to an address out of the file. */
  readonly link: (address: string) => string;
  /** A run that refers to a note; null for a note that is not there, or was there before. */
  readonly note: (id: string) => string | null;
}

const looksOf = ({ bold, italic, strike, script, code, math, link }: Span): string => {
  const style = link === undefined ? (code ? 'CodeLetters' : '') : 'Hyperlink';
  return [
    style === '' ? '' : `<w:rStyle w:val="${style}"/>`,
    link !== undefined && code ? '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas"/>' : '',
    math ? '<w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/>' : '',
    bold ? '<w:b/>' : '',
    italic ? '<w:i/>' : '',
    strike ? '<w:strike/>' : '',
    script === undefined ? '' : `<w:vertAlign w:val="${script === 'super' ? 'superscript' : 'subscript'}"/>`,
  ].join('');
};

/** Text with its line breaks and tabs. */
export const textXml = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .split(/([\n\t])/)
    .map((piece) => {
      if (piece === '\n') return '<w:br/>';
      if (piece === '\t') return '<w:tab/>';
      return piece === '' ? '' : `<w:t xml:space="preserve">${escapeXml(piece)}</w:t>`;
    })
    .join('');

export const run = (text: string, looks = ''): string =>
  `<w:r>${looks === '' ? '' : `<w:rPr>${looks}</w:rPr>`}${textXml(text)}</w:r>`;

function spanXml(span: Span, context: RunContext): string {
  if (span.note !== undefined) return context.note(span.note) ?? run(span.text, '<w:vertAlign w:val="superscript"/>');
  if (span.link === undefined || !isWritableLink(span.link)) {
    const { link: _, ...plain } = span;
    return run(span.text, looksOf(plain));
  }
  return `<w:hyperlink r:id="${context.link(span.link)}" w:history="1">${run(span.text, looksOf(span))}</w:hyperlink>`;
}

export const spansXml = (spans: readonly Span[], context: RunContext): string =>
  spans.map((span) => spanXml(span, context)).join('');
