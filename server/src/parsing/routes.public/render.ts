import { DocumentRenderRequest } from '@ai-studio/contract/utilities/render.ts';
import { attachment } from '../../http-kit/attachment.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { type DocumentMaker, renderDocument, renderedName, writtenTypes } from '../index.ts';

export interface RenderRouteDeps {
  readonly maker: DocumentMaker;
  /** Largest body: templates and pictures are in it. */
  readonly maxJsonBytes: number;
}

/** Characters of one header: proxies refuse answers whose headers are longer than 8,000 in all. */
const MAX_HEADER_LENGTH = 2_000;
/** As many names as fit in a header: letters beyond ASCII as in addresses. */
function listed(names: readonly string[]): string {
  let list = '';
  for (const name of names) {
    const longer = `${list}${list === '' ? '' : ', '}${encodeURIComponent(name.toWellFormed())}`;
    if (longer.length > MAX_HEADER_LENGTH) break;
    list = longer;
  }
  return list;
}

/** POST /document/render: texts and templates as files. Source: decisions section 6. */
export const renderRoutes = ({ maker, maxJsonBytes }: RenderRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    access: 'utilities',
    tag: 'Documents',
    method: 'POST',
    path: '/document/render',
    summary: 'Document writer',
    description:
      'Writes a text in Markdown as DOCX or HWPX (한글): headings, lists numbered as in official documents, tables with merged cells, footnotes, pictures that come with it, page numbers. Or fills a template: values, rows for a list, boxes to tick. Answers the file. A template that cannot be filled is a 422 whose message begins with why: `ENCRYPTED`, `CORRUPTED`, `UNSUPPORTED`, `TOO_LARGE`.',
    body: { DocumentRenderRequest },
    maxJsonBytes,
    media: Object.values(writtenTypes),
    headers: {
      'X-Unfilled-Fields':
        'Fields of the template that `data` has no value for, or none that can stand there, percent-encoded, with commas between',
      'X-Missing-Letters': 'Letters of the text that a PDF file shows as □, in the same form',
      'X-Unused-Pictures': 'Addresses of `pictures` that the file does not show, in the same form',
      'X-Unused-Data': 'Names of `data` that the template has no field for, in the same form',
    },
    example: { content: '# 보고서\n\n1. 추진 배경\n   1. 현황', format: 'hwpx' },
    errors: ['unprocessable'],
    usage: 'document/render',
    async handle({ body, reply }) {
      const made = await renderDocument(maker, body);
      if (made.unfilled.length > 0) reply.header('X-Unfilled-Fields', listed(made.unfilled));
      if (made.missing.length > 0) reply.header('X-Missing-Letters', listed(made.missing));
      if (made.unusedPictures.length > 0) reply.header('X-Unused-Pictures', listed(made.unusedPictures));
      if (made.unused.length > 0) reply.header('X-Unused-Data', listed(made.unused));
      return reply
        .headers(attachment(renderedName(body, made)))
        .type(writtenTypes[made.format])
        .send(Buffer.from(made.bytes));
    },
  }),
];
