import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWebdavConnector } from '../../src/adapters/connectors/webdav.ts';
import { createGuardedRequest } from '../../src/net-guard/index.ts';
import { describeConnector } from '../conformance/connector.ts';
import { freePort } from '../support/service.ts';

// The connector on real servers of WebDAV: nginx with its module for listings (https://github.com/arut/nginx-dav-ext-module), and lighttpd.

/** Programs, as `npm run test:sources` found them; empty for one that the machine has not. */
const programs = (process.env['STUDIO_WEBDAV_PROGRAMS'] ?? '').split(',').filter((name) => name !== '');
const START_MS = 20_000;

/** How a server is told to give a folder, and the arguments that it is started with. */
const servers: Readonly<
  Record<string, (home: string, folder: string, port: number) => { config: string; args: (path: string) => string[] }>
> = {
  nginx: (home, folder, port) => ({
    config: `
      load_module ${process.env['STUDIO_NGINX_DAV'] ?? ''};
      daemon off; master_process off; pid ${home}/pid; error_log stderr;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${home}/${name};`).join(' ')}
        server { listen 127.0.0.1:${port}; root ${folder}; location / { dav_ext_methods PROPFIND OPTIONS; } }
      }`,
    args: (path) => ['-c', path, '-p', home, '-e', 'stderr'],
  }),
  lighttpd: (_, folder, port) => ({
    config: `
      server.modules = ( "mod_webdav" )
      server.document-root = "${folder}"
      server.bind = "127.0.0.1"
      server.port = ${port}
      webdav.activate = "enable"
      webdav.is-readonly = "enable"`,
    args: (path) => ['-D', '-f', path],
  }),
};

async function serve(program: string) {
  const home = mkdtempSync(join(tmpdir(), 'webdav-source-'));
  const folder = join(home, 'files');
  mkdirSync(folder);
  const port = await freePort();
  const { config, args } = (servers[program] as (typeof servers)[string])(home, folder, port);
  const path = join(home, 'config');
  writeFileSync(path, config);
  const said: string[] = [];
  const child: ChildProcess = spawn(program, args(path), { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => said.push(String(part)));
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}/`;
  for (const until = Date.now() + START_MS; ; await wait(50)) {
    const isUp = await fetch(url, { method: 'PROPFIND', headers: { depth: '0' } }).then(
      ({ status }) => status === 207,
      () => false,
    );
    if (isUp) break;
    if (Date.now() > until || child.exitCode !== null) throw new Error(`${program} does not start: ${said.join('')}`);
  }
  const takeAway = async () => {
    child.kill();
    await ended;
  };
  let writes = 0;
  return {
    url,
    takeAway,
    /** Writes a file, as of another second than the one before: servers tell versions by it. */
    write(name: string, content: string) {
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      const seconds = 1_700_000_000 + writes++;
      utimesSync(file, seconds, seconds);
    },
    remove: (name: string) => rmSync(join(folder, name)),
    async close() {
      await takeAway();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const open = (url: string) =>
  createWebdavConnector({
    url,
    credentials: null,
    endings: null,
    request: createGuardedRequest({ allow: ['127.0.0.1'] }),
  });

for (const program of programs) {
  describeConnector(
    `webdav, ${program}`,
    async () => {
      const server = await serve(program);
      return {
        connector: open(server.url),
        put: (name, content) => Promise.resolve(server.write(name, content)),
        remove: (name) => Promise.resolve(server.remove(name)),
        takeAway: server.takeAway,
        close: server.close,
      };
    },
    { tellsRemovals: true },
  );

  test(`names that addresses write otherwise, and folders within folders, are read from ${program}`, async () => {
    const server = await serve(program);
    try {
      const names = ['2026/예산 & 안#1.hwp', '100% 완료.txt', 'a+b;c=d.md', '깊이/더 깊이/끝?.txt'];
      for (const name of names) server.write(name, name);
      const found: string[] = [];
      for await (const change of open(server.url).list({
        cursor: null,
        maxItems: 100,
        signal: AbortSignal.timeout(START_MS),
      }))
        if (change.type === 'present') found.push(change.item.id);
      expect(found.toSorted()).toEqual(names.toSorted());
      const path = join(tmpdir(), `webdav-fetched-${process.pid}`);
      for (const id of found) {
        const { bytes } = await open(server.url).fetch(id, {
          path,
          maxBytes: 1_000,
          signal: AbortSignal.timeout(START_MS),
        });
        expect(bytes).toBe(Buffer.byteLength(id));
      }
      rmSync(path);
    } finally {
      await server.close();
    }
  });
}
