import { TikaFields, TikaRecord, TikaRecords } from '@ai-studio/contract/utilities/loaders.ts';
import type { FastifyReply } from 'fastify';
import type { WantedForm } from '../index.ts';
import { type KeyCall, publicRoute, type PublicRoute } from '../../http-kit/public-route.ts';
import type { Upload } from '../../http-kit/upload.ts';
import { type ReadRouteDeps, readInForm } from './read.ts';

type TikaForm = Omit<Extract<WantedForm, { readonly form: 'tika' }>, 'form' | 'name'>;

/** Media types that a caller takes, in its order; `*` stands for any. */
const acceptedTypes = (accept: string | undefined): readonly string[] =>
  (accept ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase() ?? '');

/** The first of the types that the caller takes, by its order; the first of all where any will do. */
function chosenType<T extends string>(accept: string | undefined, types: readonly [T, ...T[]]): T {
  for (const wanted of acceptedTypes(accept)) {
    if (wanted === '*/*') return types[0];
    const found = types.find((type) => type === wanted || wanted === `${type.split('/')[0]}/*`);
    if (found !== undefined) return found;
  }
  return types[0];
}

/** Media types of /tika, the usual first. Source: Apache Tika 3, TikaResource. */
const contentTypes = ['text/plain', 'text/html', 'text/xml', 'application/json'] as const;

/** What /tika, /tika/text, /tika/html and their forms give. JSON of /tika has XHTML; a text is given as JSON unless asked for as text. */
function tikaForm(path: string, accept: string | undefined): TikaForm & { readonly type: string } {
  const part = /\/(text|html|xml|main)\/?$/.exec(path.split('?')[0] ?? '')?.[1];
  if (part === undefined) {
    const type = chosenType(accept, contentTypes);
    if (type === 'application/json') return { content: 'html', as: 'record', type };
    return { content: type === 'text/plain' ? 'text' : 'html', as: 'content', type };
  }
  const content = part === 'text' || part === 'main' ? 'text' : 'html';
  const plain = content === 'text' ? 'text/plain' : 'text/html';
  const type = chosenType(accept, ['application/json', plain]);
  return { content, as: type === 'application/json' ? 'record' : 'content', type };
}

/** A list with one record; XHTML unless text is asked for. Source: Apache Tika 3, RecursiveMetadataResource. */
const rmetaForm = (path: string): TikaForm & { readonly type: string } => ({
  content: /\/text\/?$/.test(path.split('?')[0] ?? '') ? 'text' : 'html',
  as: 'list',
  type: 'application/json',
});

async function answer(
  deps: ReadRouteDeps,
  { ctx, reply }: Pick<KeyCall, 'ctx' | 'reply'>,
  given: Pick<Upload, 'path' | 'name' | 'remove'>,
  { type, ...form }: TikaForm & { readonly type: string },
): Promise<FastifyReply> {
  const read = await readInForm(deps, ctx, given, ({ name }) => ({ form: 'tika', name, ...form }));
  return reply.type(`${type}; charset=utf-8`).send(read);
}

/** Tika's own server has its paths at the root, and some programs take its host and port alone. */
const common = {
  access: 'utilities',
  keyPlace: 'basic',
  alsoAtRoot: true,
  tag: 'Documents',
  errors: ['unprocessable'],
} as const;
const accept = { Accept: 'Media type of the reply' };
const media = ['text/plain', 'text/html', 'text/xml'];

const KEY =
  'It stands at the root as well. Where a client takes no header, the key is the password of its address: `http://studio:KEY@HOST:8080`.';

/** PUT /tika, /tika/text, /rmeta and what clients of Tika call beside them. Source: Apache Tika 3, TikaResource. */
export function tikaRoutes(deps: ReadRouteDeps): readonly PublicRoute[] {
  const file = { folder: deps.folder, maxBytes: deps.maxUploadBytes };
  const form = { ...file, fields: { TikaFields }, fileField: null };
  const paths = ['/tika/text', '/tika/main', '/tika/html', '/tika/xml'] as const;
  return [
    publicRoute({
      ...common,
      method: 'PUT',
      path: ['/tika', ...paths],
      summary: 'Text of a document, as Apache Tika has it',
      description: `Reads a document whose bytes are the body, for programs that have Tika do it: the address of their Tika is \`http://HOST:8080\`. \`/tika\` gives text, XHTML (\`Accept: text/html\`) or JSON, the others JSON unless \`Accept\` asks for text. Headers \`X-Tika-…\` change nothing. ${KEY}`,
      file,
      requestHeaders: accept,
      reply: { TikaRecord },
      media,
      usage: 'document/parse',
      handle: async (call) =>
        answer(deps, call, await call.file(), tikaForm(call.request.url, call.request.headers.accept)),
    }),
    publicRoute({
      ...common,
      method: 'POST',
      path: ['/tika/form', '/tika/form/text', '/tika/form/html'],
      summary: 'The same, of a form',
      description: `Reads the file of a form, whatever its field is called. ${KEY}`,
      form,
      requestHeaders: accept,
      reply: { TikaRecord },
      media,
      usage: 'document/parse',
      handle: async (call) =>
        answer(
          deps,
          call,
          await call.upload(),
          tikaForm(call.request.url.replace('/form', ''), call.request.headers.accept),
        ),
    }),
    publicRoute({
      ...common,
      method: 'PUT',
      path: ['/rmeta', '/rmeta/text', '/rmeta/html', '/rmeta/xml'],
      summary: 'Metadata and text, as Apache Tika has them',
      description: `As \`/tika/text\`, in a list of one record; XHTML unless \`/text\` is asked for. tika-python calls it. ${KEY}`,
      file,
      reply: { TikaRecords },
      usage: 'document/parse',
      handle: async (call) => answer(deps, call, await call.file(), rmetaForm(call.request.url)),
    }),
    publicRoute({
      ...common,
      method: 'POST',
      path: ['/rmeta/form', '/rmeta/form/text', '/rmeta/form/html'],
      summary: 'The same, of a form',
      description: `Reads the file of a form, whatever its field is called. ${KEY}`,
      form,
      reply: { TikaRecords },
      usage: 'document/parse',
      handle: async (call) => answer(deps, call, await call.upload(), rmetaForm(call.request.url)),
    }),
  ];
}
