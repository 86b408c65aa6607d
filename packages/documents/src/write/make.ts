import { ParseError, type ParseErrorCode } from '../parse-error.ts';
import { type ParseLimits, standardLimits } from '../reader.ts';
import { replaceEmbedded } from '../text/embedded-data.ts';
import { fillTemplate } from './fill/index.ts';
import { writeDocument } from './index.ts';
import type { WriteOptions, WrittenFormat } from './options.ts';

/** What a file is made of: a text in Markdown, or a template (DOCX, HWPX) and the data for it. */
export type MakeJob =
  | {
      readonly markdown: string;
      readonly format: WrittenFormat;
      readonly options: Omit<WriteOptions, 'pictures'>;
      /** Bytes of pictures by the address that the text shows them by. */
      readonly pictures: Readonly<Record<string, Uint8Array>>;
    }
  | { readonly template: Uint8Array; readonly data: Readonly<Record<string, unknown>> };

export interface MadeDocument {
  readonly format: WrittenFormat;
  readonly bytes: Uint8Array;
  /** Fields of a template without a value, and names of the data without a field. */
  readonly unfilled: readonly string[];
  readonly unused: readonly string[];
  /** Letters of the text that a PDF file has no shapes for. */
  readonly missing: readonly string[];
  /** Addresses of pictures that were given and are not shown. */
  readonly unusedPictures: readonly string[];
}
/** What was made, or why it can't be, as it travels between threads. */
export type MakeResult =
  | { readonly made: MadeDocument }
  | { readonly refused: { readonly code: ParseErrorCode; readonly message: string } };

/** Of a template: it is unpacked and packed again beside the service, not in a process of its own. */
const templateLimits: ParseLimits = { ...standardLimits, inflatedBytes: 128 * 1024 * 1024 };

/** A picture that stands in the text letter by letter. */
const embedded = { head: /data:image\/(?:png|jpeg|gif|bmp);base64,/g, foreign: /[^\w+/=]/g, minLength: 20 };

/** Pictures of a text and its own, and the text with addresses in their place. */
function takeEmbedded(markdown: string, pictures: Map<string, Uint8Array>): string {
  return replaceEmbedded(markdown, embedded, (data) => {
    const address = `embedded-${pictures.size + 1}`;
    pictures.set(address, Buffer.from(data, 'base64'));
    return address;
  });
}

async function make(job: MakeJob): Promise<MadeDocument> {
  if ('template' in job)
    return { ...(await fillTemplate(job.template, job.data, templateLimits)), missing: [], unusedPictures: [] };
  const pictures = new Map(Object.entries(job.pictures));
  const text = takeEmbedded(job.markdown, pictures);
  const { readMarkdown } = await import('../readers/markdown/index.ts');
  const read = { limits: standardLimits, pages: null, onPage: () => undefined };
  const document = await readMarkdown(Buffer.from(text), read);
  const { bytes, missing, shown } = await writeDocument(document, job.format, { ...job.options, pictures });
  const unusedPictures = Object.keys(job.pictures).filter((address) => !shown.has(address));
  return { format: job.format, bytes, unfilled: [], unused: [], missing, unusedPictures };
}

/** Makes a file; what is wrong with what was given is part of the result. */
export async function makeDocument(job: MakeJob): Promise<MakeResult> {
  try {
    return { made: await make(job) };
  } catch (error) {
    if (error instanceof ParseError) return { refused: { code: error.code, message: error.message } };
    throw error;
  }
}
