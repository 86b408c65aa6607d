import { afterEach, expect, test } from 'vitest';
import { type PageServer, startPageServer } from '../../../test/fakes/page-servers.ts';
import { PageNotRead } from '../../ports/page-reader.ts';
import { createPageReader } from './index.ts';

const picture = Buffer.from('\x89PNG\r\n\x1a\nthe rest of a page', 'latin1');
const open: PageServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function started(kind: 'docling' | 'mineru', apiKey: string | null = null, given = apiKey) {
  const server = await startPageServer(kind, { apiKey });
  open.push(server);
  const reader = createPageReader(kind, { address: `${server.url}/`, apiKey: given });
  const read = (options: { describeFigures?: boolean; signal?: AbortSignal; picture?: Uint8Array } = {}) =>
    reader.read({ picture, describeFigures: false, signal: new AbortController().signal, ...options });
  return { server, read };
}

test('Docling Serve is given the page as a file of a form, with its key, and asked for Markdown', async () => {
  const { server, read } = await started('docling', 'secret');
  server.answer(() => '# 제목');
  expect(await read()).toBe('# 제목');
  await read({ describeFigures: true });
  const [first, second] = server.uploads;
  expect(Buffer.from(first!.file)).toEqual(picture);
  expect(first!.fields).toEqual({ from_formats: 'image', to_formats: 'md', image_export_mode: 'placeholder' });
  expect(second!.fields).toMatchObject({ do_picture_description: 'true' });
});

test('MinerU is given the page likewise; what it cut out of it leads nowhere', async () => {
  const { server, read } = await started('mineru');
  server.answer(() => '글\n\n![](images/ab.jpg)\n\n![그림 1](images/c.jpg)');
  expect(await read()).toBe('글\n\n\n\n그림 1');
  expect(server.uploads[0]).toMatchObject({ path: '/file_parse', fields: { return_md: 'true', lang_list: 'korean' } });
});

test.each([
  ['a wrong key', 'docling', {}, 'answered 401: Api key is required'],
  ['what is no picture', 'docling', { picture: Buffer.from('글') }, 'could not convert it'],
  ['what is no picture', 'mineru', { picture: Buffer.from('글') }, 'answered 400: Unsupported file type'],
] as const)('%s is a page that was not read (%s)', async (_, kind, options, message) => {
  const { read } = await started(
    kind,
    kind === 'docling' ? 'secret' : null,
    Object.keys(options).length === 0 ? 'x' : 'secret',
  );
  const refused = read(options);
  await expect(refused).rejects.toBeInstanceOf(PageNotRead);
  await expect(refused).rejects.toThrow(message);
});

test.each([
  ['no JSON', { status: 200, body: '<html>' }, 'something else than JSON'],
  ['no text in it', { status: 200, body: { status: 'success', document: {} } }, 'could not convert it'],
  ['a list', { status: 200, body: [] }, 'could not convert it'],
  ['a failure', { status: 503, body: { detail: 'Server is at maximum capacity' } }, 'answered 503: Server is at'],
  ['an answer without end', { status: 200, body: 'x'.repeat(9 * 1024 * 1024) }, 'too long'],
] as const)('%s is a page that was not read', async (_, answer, message) => {
  const { server, read } = await started('docling');
  server.answer(() => answer);
  await expect(read()).rejects.toThrow(message);
});

test('a server that is away tells no address, and one that hangs is left when the page has had its time', async () => {
  const { server, read } = await started('mineru');
  server.answer(() => null);
  const gone = new AbortController();
  const hanging = read({ signal: gone.signal });
  await expect.poll(() => server.uploads.length).toBe(1);
  gone.abort(new Error('gone'));
  await expect(hanging).rejects.toThrow('gone');
  await server.close();
  const away = read();
  await expect(away).rejects.toBeInstanceOf(PageNotRead);
  await expect(away).rejects.toThrow(/^its server cannot be reached$/);
});
