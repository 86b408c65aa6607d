import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StudioError } from '../../kernel/errors.ts';
import { DEFAULT_RETRY_AFTER_SECONDS } from '../../http-kit/failures.ts';
import { type ConsoleFile, createConsoleFiles, NONCE_MARK, pickEncoding } from './files.ts';
import { assetHeaders, diagramHeaders, fileHeaders, pageHeaders } from './headers.ts';
import { missingPage } from './missing-page.ts';

const NONCE_BYTES = 18;
/** Files whose name changes with what they hold. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const FOR_AN_HOUR = 'public, max-age=3600';
/** The page of a frame that draws a diagram. */
const DIAGRAM = 'diagram.html';

export interface ConsoleFilesOptions {
  /** Where the build of the console is, or will be. */
  readonly folder: string;
}

const matches = (header: string | undefined, etag: string) =>
  header !== undefined &&
  header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);

/**
 * The web console: its page at /console and at every address below that is no file, its files, and a way there from /.
 * What is below /console/api belongs to others.
 */
export function consoleFileRoutes(app: FastifyInstance, { folder }: ConsoleFilesOptions): void {
  const files = createConsoleFiles(folder);

  async function sendPage(reply: FastifyReply) {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const page = await files.page();
    reply.headers(pageHeaders(nonce)).type('text/html; charset=utf-8');
    if (page === null)
      return reply.status(503).header('Retry-After', DEFAULT_RETRY_AFTER_SECONDS).send(missingPage(nonce));
    return reply.send(page.replaceAll(NONCE_MARK, nonce));
  }

  async function sendFile(request: FastifyRequest, reply: FastifyReply, name: string, file: ConsoleFile) {
    const encoding = pickEncoding(request.headers['accept-encoding'], file);
    const etag = `"${file.etag}${encoding === null ? '' : `-${encoding}`}"`;
    reply.headers({
      ...(name === DIAGRAM ? diagramHeaders : fileHeaders),
      ...(name.startsWith('assets/') ? assetHeaders : {}),
      ETag: etag,
      'Cache-Control': name === DIAGRAM ? 'no-cache' : name.startsWith('assets/') ? IMMUTABLE : FOR_AN_HOUR,
      Vary: 'Accept-Encoding',
    });
    if (matches(request.headers['if-none-match'], etag)) return reply.status(304).send();
    const bytes = await files.read(name, encoding).catch((cause: unknown) => {
      throw new StudioError('not_found', `There is no /console/${name}`, { cause });
    });
    reply.type(file.type);
    if (encoding !== null) reply.header('Content-Encoding', encoding);
    return reply.send(bytes);
  }

  app.get('/', (request, reply) => {
    // Programs that ask for / have lost their way; people have not.
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) throw new StudioError('not_found', 'There is no /');
    return reply.header('Vary', 'Accept').redirect('/console', 302);
  });
  app.get('/console', (_request, reply) => sendPage(reply));
  app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
    const name = request.params['*'];
    const file = name === 'index.html' ? null : await files.find(name);
    if (file !== null) return sendFile(request, reply, name, file);
    if (/^(?:api|assets)(?:\/|$)/.test(name)) throw new StudioError('not_found', `There is no /console/${name}`);
    return sendPage(reply);
  });
}
