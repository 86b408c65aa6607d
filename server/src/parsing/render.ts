import type { DocumentRenderRequest } from '@ai-studio/contract/utilities/render.ts';
import { type DocumentMaker, type MadeDocument, type MakeJob, ParseError } from '@ai-studio/documents';
import { invalidRequest, StudioError } from '../kernel/errors.ts';
import { plainFileName } from '../kernel/file-name.ts';

/** Media types of the files that are written. */
export const writtenTypes = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  hwpx: 'application/hwp+zip',
  pdf: 'application/pdf',
} as const;

/** Fields that say something of a text alone, or of a template alone. */
const ofContent = ['format', 'title', 'numbering', 'page_numbers', 'pictures'] as const;

/** Throws StudioError `invalid_request` for fields that do not go together. */
function jobOf(request: DocumentRenderRequest): MakeJob {
  const { content, template } = request;
  if ((content === undefined) === (template === undefined))
    throw invalidRequest('Give either content or template', 'content');
  if (template !== undefined) {
    const beside = ofContent.find((field) => request[field] !== undefined);
    if (beside !== undefined) throw invalidRequest(`${beside} goes with content, not with template`, beside);
    if (request.data === undefined) throw invalidRequest('data is missing: the values for the template', 'data');
    return { template: Buffer.from(template, 'base64'), data: request.data };
  }
  if (request.data !== undefined) throw invalidRequest('data goes with template, not with content', 'data');
  const pictures = Object.entries(request.pictures ?? {}).map(
    ([address, data]) => [address, Uint8Array.from(Buffer.from(data, 'base64'))] as const,
  );
  return {
    markdown: content ?? '',
    format: request.format ?? 'docx',
    options: {
      ...(request.title === undefined ? {} : { title: request.title }),
      pageNumbers: request.page_numbers ?? true,
      numbering: request.numbering ?? 'official',
    },
    pictures: Object.fromEntries(pictures),
  };
}

/** Makes a file. Throws StudioError `unprocessable` for what can't be made, or takes too much. */
export async function makeFile(maker: DocumentMaker, job: MakeJob): Promise<MadeDocument> {
  try {
    return await maker.make(job);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const param = 'template' in job ? 'template' : 'content';
    throw new StudioError('unprocessable', `${error.code}: ${error.message}`, { param, cause: error });
  }
}

/**
 * Writes a document, or fills a template. Throws StudioError: `invalid_request`; `unprocessable` for a template that can't be filled, or what
 * takes too much.
 */
export async function renderDocument(maker: DocumentMaker, request: DocumentRenderRequest): Promise<MadeDocument> {
  return makeFile(maker, jobOf(request));
}

/** What the file is called: as asked for, else as its title says. */
export const renderedName = ({ name, title }: DocumentRenderRequest, { format }: MadeDocument): string =>
  `${plainFileName((name ?? title ?? '').replaceAll(/[/\\]/g, '-')) || 'document'}.${format}`;
