import { sourceFailure } from '../../ports/source-failure.ts';
import { type ObjectFormat, readHeader } from './git-pack.ts';
import { askOn, askWeb, readAll, type WebAsk, type WebReply, type WebRequest } from './web.ts';

// The smart HTTP protocol of Git in its version 2. Source: Git documentation, gitprotocol-v2, gitprotocol-common, gitprotocol-http.

/** Where a repository is. */
export interface GitPlace {
  readonly url: string;
  /** For basic authentication; null for none. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
  readonly request: WebRequest;
}

/** A repository that has been greeted. */
export interface GitServer {
  readonly format: ObjectFormat;
  /** The commits by the names that were asked for. */
  refs(prefixes: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** A pack with a commit and its folders. */
  folders(commit: string, signal: AbortSignal): Promise<Buffer>;
  /** Gives the compressed content of a file to `read`, with its length. */
  content<T>(
    id: string,
    signal: AbortSignal,
    read: (packed: AsyncIterable<Uint8Array>, size: number) => Promise<T>,
  ): Promise<T>;
}

const MAX_GREETING = 1024 * 1024;
const MAX_REFS = 16 * 1024 * 1024;
/** Of all folders of a commit; of servers that send files along, of these as well. */
const MAX_FOLDERS = 64 * 1024 * 1024;
const BLOB = 3;

const line = (text: string): string => `${(Buffer.byteLength(text) + 5).toString(16).padStart(4, '0')}${text}\n`;
const FLUSH = '0000';
const DELIMITER = '0001';

const wrong = (cause?: unknown) => sourceFailure('not_protocol', { values: { protocol: 'Git' }, cause });
const refuses = (message: string) => sourceFailure('repository_refuses', { values: { message: message.trim() } });

/** The lines of an answer; empty ones stand for flushes and delimiters. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let wanted = 4;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length < wanted) continue;
    const bytes = Buffer.concat(parts);
    let at = 0;
    for (;;) {
      if (bytes.length - at < 4) {
        wanted = 4;
        break;
      }
      const size = Number.parseInt(bytes.toString('latin1', at, at + 4), 16);
      if (Number.isNaN(size)) throw wrong();
      if (size < 4) {
        at += 4;
        yield Buffer.alloc(0);
        continue;
      }
      if (bytes.length - at < size) {
        wanted = size;
        break;
      }
      const given = bytes.subarray(at + 4, at + size);
      at += size;
      if (given.toString('latin1', 0, 4) === 'ERR ') throw refuses(given.toString('utf8', 4, 304));
      yield given;
    }
    parts = [bytes.subarray(at)];
    ({ length } = bytes.subarray(at));
  }
  if (length > 0) throw wrong();
}

/** The pack of an answer, which comes in a band beside others. */
async function* packOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isPack = false;
  for await (const given of linesOf(body)) {
    if (!isPack) {
      isPack = given.toString('latin1').trimEnd() === 'packfile';
      continue;
    }
    if (given[0] === 1) yield given.subarray(1);
    if (given[0] === 3) throw refuses(given.toString('utf8', 1, 301));
  }
  if (!isPack) throw wrong();
}

/** Greets the server of a repository. Rejects with StudioError as `askWeb`, `unavailable` for servers without this version. */
export async function greet({ url, credentials, request }: GitPlace, signal: AbortSignal): Promise<GitServer> {
  const common: Readonly<Record<string, string>> = {
    'git-protocol': 'version=2',
    'user-agent': 'git/ai-studio',
    ...(credentials === null
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`,
        }),
  };
  const suffix = '/info/refs';
  const start = new URL(url.replace(/\/+$/, ''));
  start.hash = '';
  start.search = '';
  const { base, lines } = await askOn(
    request,
    `${start.href}${suffix}?service=git-upload-pack`,
    { headers: common, signal },
    // The secrets are for this server alone.
    (to) => to.origin === start.origin && to.pathname.endsWith(suffix),
    async ({ body }, at) => {
      const found: string[] = [];
      const bytes = await readAll(body, MAX_GREETING);
      for await (const given of linesOf([bytes] as unknown as AsyncIterable<Uint8Array>))
        found.push(given.toString('utf8').trimEnd());
      return { base: `${at.origin}${at.pathname.slice(0, -suffix.length)}`, lines: found };
    },
  );
  if (!lines.includes('version 2')) throw sourceFailure('git_version');
  const format: ObjectFormat = lines.includes('object-format=sha256') ? 'sha256' : 'sha1';
  const abilities = new Set(
    lines
      .find((one) => one.startsWith('fetch='))
      ?.slice('fetch='.length)
      .split(' '),
  );

  const command = (name: string, given: readonly string[]) =>
    [
      line(`command=${name}`),
      ...(lines.some((one) => one.startsWith('object-format=')) ? [line(`object-format=${format}`)] : []),
      DELIMITER,
      ...given.map(line),
      FLUSH,
    ].join('');
  const ask = <T>(body: string, asked: AbortSignal, read: (reply: WebReply) => Promise<T>) => {
    const given: WebAsk = {
      method: 'POST',
      headers: {
        ...common,
        'content-type': 'application/x-git-upload-pack-request',
        accept: 'application/x-git-upload-pack-result',
      },
      body,
      signal: asked,
    };
    return askWeb(request, `${base}/git-upload-pack`, given, [200], read);
  };

  return {
    format,
    refs: (prefixes, asked) =>
      ask(command('ls-refs', ['peel', ...prefixes.map((one) => `ref-prefix ${one}`)]), asked, async ({ body }) => {
        const found = new Map<string, string>();
        const bytes = await readAll(body, MAX_REFS);
        for await (const given of linesOf([bytes] as unknown as AsyncIterable<Uint8Array>)) {
          const [id = '', name = '', ...attributes] = given.toString('utf8').trimEnd().split(' ');
          const peeled = attributes.find((one) => one.startsWith('peeled:'))?.slice('peeled:'.length);
          if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) found.set(name, peeled ?? id);
        }
        return found;
      }),
    folders: (commit, asked) => {
      const filter = abilities.has('filter') ? ['filter blob:none'] : [];
      const wants = [`want ${commit}`, 'no-progress', 'ofs-delta', 'deepen 1', ...filter, 'done'];
      return ask(command('fetch', wants), asked, ({ body }) => readAll(packOf(body), MAX_FOLDERS));
    },
    content: (id, asked, read) =>
      ask(command('fetch', [`want ${id}`, 'no-progress', 'done']), asked, async ({ body }) => {
        const pack = packOf(body);
        let head = Buffer.alloc(0);
        for (;;) {
          const { value, done } = await pack.next();
          if (done === true) throw wrong();
          head = Buffer.concat([head, value]);
          const header = head.length < 12 ? null : readHeader(head, 12);
          if (header === null) continue;
          if (head.toString('latin1', 0, 4) !== 'PACK' || head.readUInt32BE(8) !== 1 || header.type !== BLOB)
            throw wrong();
          const rest = async function* () {
            yield head.subarray(header.at);
            yield* pack;
          };
          return read(rest(), header.size);
        }
      }),
  };
}
