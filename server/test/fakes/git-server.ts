import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';

// A server of one repository. Source: Git documentation, gitprotocol-v2 and gitformat-pack. It knows one branch, and gives what is
// asked for whole, without differences.

export interface FakeGit {
  readonly url: string;
  /** What the next commit holds, by its paths. */
  readonly files: Map<string, string>;
  /** Commits what `files` holds. */
  commit(): void;
  /** What was asked for since the last look. */
  readonly asked: string[];
  /** Whether files can be left out. */
  hasFilter: boolean;
  /** Objects that another content is sent for. */
  readonly forged: Map<string, string>;
  close(): Promise<void>;
}

const TYPES = { commit: 1, tree: 2, blob: 3 } as const;
type Kind = keyof typeof TYPES;
const line = (given: string | Buffer) => {
  const bytes = Buffer.from(given);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
};
const FLUSH = Buffer.from('0000');

/** An object as it stands in a pack. */
export function packedObject(type: number, body: Buffer, before = Buffer.alloc(0)): Buffer {
  const head: number[] = [];
  let rest = body.length >> 4;
  head.push((type << 4) | (body.length & 15) | (rest > 0 ? 128 : 0));
  for (; rest > 0; rest >>= 7) head.push((rest & 127) | (rest >> 7 > 0 ? 128 : 0));
  return Buffer.concat([Buffer.from(head), before, deflateSync(body)]);
}

/** A pack of such objects. */
export function packOf(objects: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const all = Buffer.concat([head, ...objects]);
  return Buffer.concat([all, createHash('sha1').update(all).digest()]);
}

export const gitId = (kind: string, body: Buffer): string =>
  createHash('sha1').update(`${kind} ${body.length}\0`).update(body).digest('hex');

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Starts one without a commit. `login`: the user and password that are needed. */
export async function startFakeGit(login: string | null = null): Promise<FakeGit> {
  const objects = new Map<string, { readonly kind: Kind; readonly body: Buffer }>();
  let head: string | null = null;
  let commits = 0;

  function keep(kind: Kind, body: Buffer): string {
    const id = gitId(kind, body);
    objects.set(id, { kind, body });
    return id;
  }

  function treeOf(files: ReadonlyMap<string, string>, prefix: string): string {
    const names = [...files.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
    const entries = [...new Set(names.map((path) => path.split('/')[0] ?? ''))].sort().map((name) => {
      const content = files.get(`${prefix}${name}`);
      const id = content === undefined ? treeOf(files, `${prefix}${name}/`) : keep('blob', Buffer.from(content));
      const mode = content === undefined ? '40000' : content.startsWith('link:') ? '120000' : '100644';
      return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
    });
    return keep('tree', Buffer.concat(entries));
  }

  /** All that a tree leads to, each once. */
  function reach(id: string, withFiles: boolean, found = new Set<string>()): Set<string> {
    const object = objects.get(id);
    if (object === undefined || found.has(id) || (object.kind === 'blob' && !withFiles)) return found;
    found.add(id);
    const { kind, body } = object;
    if (kind === 'commit') reach(body.toString('latin1', 5, 45), withFiles, found);
    if (kind === 'tree')
      for (let at = 0; at < body.length;) {
        const end = body.indexOf(0, at);
        reach(body.toString('hex', end + 1, end + 21), withFiles, found);
        at = end + 21;
      }
    return found;
  }

  const made: FakeGit = {
    url: '',
    files: new Map(),
    commit() {
      const tree = treeOf(made.files, '');
      const who = `A <a@example.kr> ${1_700_000_000 + ++commits} +0900`;
      head = keep('commit', Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\n가\n`));
    },
    asked: [],
    hasFilter: true,
    forged: new Map(),
    close: () => Promise.resolve(),
  };

  function answer(text: string): Buffer {
    if (text.includes('command=ls-refs')) {
      made.asked.push('ls-refs');
      const names = ['HEAD', 'refs/heads/main'].filter(
        (name) => text.includes(`ref-prefix ${name}`) || text.includes('ref-prefix refs/heads/\n'),
      );
      return Buffer.concat([...(head === null ? [] : names.map((name) => line(`${head} ${name}\n`))), FLUSH]);
    }
    const want = /want ([0-9a-f]+)/.exec(text)?.[1] ?? '';
    if (!objects.has(want)) return line(`ERR upload-pack: not our ref ${want}`);
    const isFiltered = text.includes('filter blob:none');
    made.asked.push(`${objects.get(want)?.kind}${isFiltered ? ' without files' : ''}`);
    const sent = [...reach(want, !isFiltered)].map((id) => {
      const { kind, body } = objects.get(id) ?? { kind: 'blob', body: Buffer.alloc(0) };
      return packedObject(TYPES[kind], Buffer.from(made.forged.get(id) ?? body));
    });
    const pack = packOf(sent);
    const parts: Buffer[] = [line('packfile\n'), line(Buffer.concat([Buffer.from([2]), Buffer.from('Counting')]))];
    for (let at = 0; at < pack.length; at += 1_000)
      parts.push(line(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 1_000)])));
    return Buffer.concat([...parts, FLUSH]);
  }

  const server = createServer((request, reply) => {
    const basic = login === null ? null : `Basic ${Buffer.from(login).toString('base64')}`;
    if (basic !== null && request.headers.authorization !== basic) return void reply.writeHead(401).end();
    const { pathname } = new URL(request.url ?? '', 'http://x');
    if (pathname === '/old/info/refs') {
      reply.writeHead(301, { location: `/repo.git/info/refs?service=git-upload-pack` }).end();
    } else if (pathname === '/elsewhere/info/refs') {
      reply.writeHead(302, { location: 'http://127.0.0.2:1/repo.git/info/refs' }).end();
    } else if (pathname === '/repo.git/info/refs') {
      const fetch = made.hasFilter ? 'fetch=shallow filter\n' : 'fetch=shallow\n';
      const greeting = ['version 2\n', 'agent=git/2.47\n', 'ls-refs=unborn\n', fetch, 'object-format=sha1\n'];
      reply.end(Buffer.concat([line('# service=git-upload-pack\n'), FLUSH, ...greeting.map(line), FLUSH]));
    } else if (pathname === '/dumb/info/refs') {
      reply.end(Buffer.concat([line('# service=git-upload-pack\n'), FLUSH, line(`${'0'.repeat(40)} HEAD\n`), FLUSH]));
    } else if (pathname === '/repo.git/git-upload-pack' && request.method === 'POST') {
      void textOf(request).then((text) => reply.end(answer(text)));
    } else reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return Object.assign(made, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/repo.git`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
