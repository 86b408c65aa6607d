import { LoadedDocument } from '@ai-studio/contract/utilities/loaders.ts';
import { StudioError } from '../../kernel/errors.ts';
import { publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import { type ReadRouteDeps, readInForm } from './read.ts';

const NOTHING = Buffer.from('[]');

/** By these words Open WebUI knows that it may read the file by itself. Source: Open WebUI 0.6, external_document.py. */
const noText = () =>
  new StudioError('unprocessable', 'No extractable text: nothing of the document is text', { param: 'file' });

/** PUT /document/process, which Open WebUI's external document loader calls. Source: Open WebUI 0.6, external_document.py. */
export const loaderRoutes = (deps: ReadRouteDeps): readonly PublicRoute[] => [
  publicRoute({
    access: 'utilities',
    tag: 'Documents',
    method: 'PUT',
    path: '/document/process',
    summary: 'Document loader',
    description:
      'Reads a document whose bytes are the body, and gives its pages as Markdown, as the external document loader of Open WebUI asks for it: its URL is `http://HOST:8080/v1/document`. `X-Filename`, percent-encoded, names the file; the format is known by its content. A document that cannot be read is a 422 that says why.',
    file: { folder: deps.folder, maxBytes: deps.maxUploadBytes },
    requestHeaders: { 'X-Filename': 'Name of the file, percent-encoded' },
    reply: { LoadedDocument },
    errors: ['unprocessable'],
    usage: 'document/parse',
    async handle({ ctx, reply, file }) {
      const pages = await readInForm(deps, ctx, await file(), ({ name }) => ({ form: 'loader_pages', name }));
      if (pages.equals(NOTHING)) throw noText();
      return reply.type('application/json; charset=utf-8').send(pages);
    },
  }),
];
