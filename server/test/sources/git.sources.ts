import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createGitConnector, type GitSource } from '../../src/adapters/connectors/git.ts';
import { createGuardedRequest } from '../../src/net-guard/index.ts';
import type { SourceChange } from '../../src/ports/connector.ts';
import { describeConnector } from '../conformance/connector.ts';

// The connector on the HTTP backend of Git itself.

const signal = new AbortController().signal;
const who = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@x.kr',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@x.kr',
};
const plain = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };

/** Serves a folder of repositories as a web server with Git's CGI program does. Source: Git documentation, git-http-backend. */
async function serve(root: string) {
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '', 'http://x');
    const child = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        ...plain,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    });
    request.pipe(child.stdin.on('error', () => undefined));
    let head = Buffer.alloc(0);
    let isBody = false;
    child.stdout.on('data', (part: Buffer) => {
      if (isBody) return void reply.write(part);
      head = Buffer.concat([head, part]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      isBody = true;
      const lines = head.toString('latin1', 0, end).split('\r\n');
      for (const line of lines) {
        const [name = '', value = ''] = line.split(/:\s*/, 2);
        if (name.toLowerCase() === 'status') reply.statusCode = Number(value.slice(0, 3));
        else reply.setHeader(name, value);
      }
      reply.write(head.subarray(end + 4));
    });
    child.stdout.on('end', () => reply.end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  let closing: Promise<void> | null = null;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      (closing ??= new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      })),
  };
}

/** A repository with a server. */
async function openRepository(format: 'sha1' | 'sha256', isFiltering: boolean) {
  const root = mkdtempSync(join(tmpdir(), 'git-source-'));
  const work = join(root, 'work');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', work, ...args], {
      env: { ...process.env, ...plain, ...who },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
  mkdirSync(work);
  git('init', '-q', '-b', 'main', `--object-format=${format}`);
  if (isFiltering) git('config', 'uploadpack.allowFilter', 'true');
  const server = await serve(root);
  return {
    url: `${server.url}/work/.git`,
    git,
    write(name: string, content: string) {
      mkdirSync(dirname(join(work, name)), { recursive: true });
      writeFileSync(join(work, name), content);
    },
    commit() {
      git('add', '-A');
      git('commit', '-q', '-m', 'x', '--allow-empty');
    },
    takeAway: server.close,
    async close() {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
type Repository = Awaited<ReturnType<typeof openRepository>>;

const connectorOf = ({ url }: Repository, more: Partial<GitSource> = {}) =>
  createGitConnector({
    url,
    credentials: null,
    branch: null,
    folder: '',
    pattern: null,
    endings: null,
    request: createGuardedRequest({ allow: ['127.0.0.1'] }),
    ...more,
  });

for (const format of ['sha1', 'sha256'] as const)
  for (const isFiltering of [true, false])
    describeConnector(
      `git, ${format}, ${isFiltering ? 'files left out' : 'files sent along'}`,
      async () => {
        const repository = await openRepository(format, isFiltering);
        return {
          connector: connectorOf(repository),
          put(name, content) {
            repository.write(name, content);
            return Promise.resolve(repository.commit());
          },
          remove(name) {
            repository.git('rm', '-q', name);
            return Promise.resolve(repository.commit());
          },
          takeAway: repository.takeAway,
          close: repository.close,
        };
      },
      { tellsRemovals: true },
    );

test('a repository that is packed with differences, with branches and tags, is read as Git reads it', async () => {
  const repository = await openRepository('sha1', true);
  try {
    const texts = new Map<string, string>();
    for (let at = 0; at < 400; at++) {
      const name = `문서/${at % 7}/${at % 3}/a${at}.md`;
      texts.set(name, `# ${at}\n${'같은 글 '.repeat(50)}${at}\n`);
      repository.write(name, texts.get(name) ?? '');
      if (at % 50 === 0) repository.commit();
    }
    repository.commit();
    repository.git('tag', '-a', 'v1', '-m', 'x');
    repository.git('gc', '-q', '--aggressive');
    repository.git('checkout', '-q', '-b', 'next/한글');
    repository.write('only-here.md', 'x');
    repository.commit();
    repository.git('checkout', '-q', 'main');
    const list = async (more: Partial<GitSource> = {}) => {
      const connector = connectorOf(repository, more);
      const items: string[] = [];
      for await (const change of connector.list({ cursor: null, maxItems: 1_000, signal })) {
        const one: SourceChange = change;
        if (one.type === 'present') items.push(one.item.id);
      }
      return { connector, items };
    };
    const { connector, items } = await list();
    expect(items.sort()).toEqual([...texts.keys()].sort());
    for (const id of items.filter((_, at) => at % 40 === 0)) {
      const path = join(tmpdir(), `git-fetched-${process.pid}`);
      await connector.fetch(id, { path, maxBytes: 10_000, signal });
      expect(readFileSync(path, 'utf8')).toBe(texts.get(id));
      rmSync(path);
    }
    expect((await list({ branch: 'v1' })).items).toHaveLength(400);
    expect((await list({ branch: 'next/한글' })).items).toContain('only-here.md');
    expect((await list({ folder: '문서/3', pattern: '1/*.md' })).items).toHaveLength(19);
  } finally {
    await repository.close();
  }
});
