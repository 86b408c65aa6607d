import type { Block, Document, DocumentFormat } from '../../document.ts';
import type { ReadOptions } from '../../reader.ts';
import { createBudget } from '../budget.ts';
import { readHtml } from '../html/index.ts';
import { type InnerFile, readInnerFiles } from '../inner.ts';
import { readText } from '../text.ts';

/** A mail as it was sent. */
export interface Letter {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  /** ISO 8601, where it is known. */
  readonly date: string | undefined;
  /** Its text as HTML and as plain text, as far as it has them. */
  readonly html: Uint8Array | null;
  readonly text: string;
  readonly attachments: readonly InnerFile[];
  /** How many more it has. */
  readonly moreAttachments: number;
}

/** Attachments of one mail that are read. */
export const MAX_ATTACHMENTS = 200;

/** A mail as a document: its subject, who wrote to whom, its text, and what is attached. */
export async function letterDocument(format: DocumentFormat, letter: Letter, options: ReadOptions): Promise<Document> {
  const { subject, from, to, cc, date, html, text } = letter;
  const lines = [
    ['From', from],
    ['To', to],
    ['Cc', cc],
    ['Date', date ?? ''],
  ].flatMap(([name = '', value = '']) => (value === '' ? [] : [`${name}: ${value}`]));
  createBudget(options.limits).text(text.length + subject.length);
  const quiet = { ...options, pages: null, onPage: () => undefined };
  const body = html === null ? await readText(Buffer.from(text), quiet) : await readHtml(html, quiet);
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
