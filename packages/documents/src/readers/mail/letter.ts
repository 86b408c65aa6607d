import type { Block, Document, DocumentFormat } from '../../document.ts';
import type { ReadOptions } from '../../reader.ts';
import { blockText } from '../../render/text.ts';
import { createBudget } from '../budget.ts';
import { readHtmlText } from '../html/index.ts';
import { type InnerFile, readInnerFiles } from '../inner.ts';
import { LetterCount, countBlocks } from '../lost-letters.ts';
import { pageText, rawText } from '../raw-xml.ts';
import { readText } from '../text.ts';

/** A mail as it was sent. */
export interface Letter {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  /** ISO 8601, where it is known. */
  readonly date: string | undefined;
  /** What stands beside them, such as the place of a meeting. */
  readonly more?: readonly (readonly [label: string, value: string])[];
  /** Its text as HTML and as plain text, as far as it has them. */
  readonly html: Uint8Array | null;
  readonly text: string;
  readonly attachments: readonly InnerFile[];
  /** How many more it has. */
  readonly moreAttachments: number;
}

/** Attachments of one mail that are read. */
export const MAX_ATTACHMENTS = 200;

const isEmpty = ({ blocks }: Document): boolean => blocks.every((block) => blockText(block).trim() === '');

/** The text of a mail: its page, else the same as plain text, as where the page is a picture alone. */
async function bodyOf({ html, text }: Letter, options: ReadOptions): Promise<Document> {
  const page = html === null ? null : await readHtmlText(html, options);
  if (html === null || page === null || (isEmpty(page) && text.trim() !== ''))
    return readText(Buffer.from(text), options);
  const letters = new LetterCount('all but letters');
  letters.held(pageText(rawText(html) ?? ''));
  countBlocks(letters, page.blocks);
  return { ...page, warnings: [...page.warnings, ...letters.warnings()] };
}

/** A mail as a document: its subject, who wrote to whom, its text, and what is attached. */
export async function letterDocument(format: DocumentFormat, letter: Letter, options: ReadOptions): Promise<Document> {
  const { subject, from, to, cc, date, text, more = [] } = letter;
  const named = [['From', from], ['To', to], ['Cc', cc], ['Date', date ?? ''], ...more] as const;
  const lines = named.flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]));
  createBudget(options.limits).text(text.length + subject.length + more.flat().join('').length);
  const quiet = { ...options, pages: null, onPage: () => undefined };
  const body = await bodyOf(letter, quiet);
  const head: Block[] = [];
  if (subject !== '') head.push({ type: 'heading', level: 1, page: null, spans: [{ text: subject }] });
  if (lines.length > 0) head.push({ type: 'paragraph', page: null, spans: [{ text: lines.join('\n') }] });
  const own = body.blocks.map((block) =>
    block.type === 'heading' ? { ...block, level: Math.min(6, block.level + 1) } : block,
  );
  const attached = await readInnerFiles(letter.attachments, options);
  const left = letter.moreAttachments;
  options.onPage(1, 1);
  return {
    format,
    meta: {
      ...(subject === '' ? {} : { title: subject }),
      ...(from === '' ? {} : { author: from }),
      ...(date === undefined ? {} : { created: date }),
    },
    pages: [],
    blocks: [...head, ...own, ...attached.blocks],
    warnings: [
      ...body.warnings,
      ...attached.warnings,
      ...(left > 0 ? [{ code: 'attachment_not_read', message: `${left} further attachments were left out.` }] : []),
    ],
  };
}
