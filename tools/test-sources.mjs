// `npm run test:sources`: connectors on real servers, on loopback: that of MySQL and MariaDB on a MariaDB with a folder of its own, that of Git
// on its own HTTP backend, that of WebDAV on nginx and lighttpd. What the machine has not is named and left out: what `npm test` runs is the same suite on fakes.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { say, step } from './progress.mjs';
import { createTestFolder } from './test-folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Where distributions put servers, also where that is in nobody's path. */
const programOf = (name) =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/usr/libexec']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Longest start of a server with an empty folder. */
const START_MS = 60_000;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function start(data) {
  const port = await freePort();
  const socket = join(data, 's');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  mkdirSync(data);
  const install = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'];
  execFileSync(programOf('mariadb-install-db'), [...install, ...user], { stdio: 'ignore' });
  const place = [`--datadir=${data}`, `--socket=${socket}`, `--port=${port}`, '--bind-address=127.0.0.1'];
  const server = spawn(programOf('mariadbd'), ['--no-defaults', ...place, ...user], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const until = Date.now() + START_MS;
  const sql = [
    'CREATE DATABASE d CHARACTER SET utf8mb4',
    "CREATE USER writer@'127.0.0.1' IDENTIFIED BY 'w'",
    "GRANT ALL ON d.* TO writer@'127.0.0.1'",
    "CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'r'",
    // More than it needs, so that it is seen that it changes nothing all the same.
    "GRANT ALL ON d.* TO reader@'127.0.0.1'",
  ].join(';');
  for (;;) {
    try {
      await promisify(execFile)(programOf('mariadb'), ['--no-defaults', '-uroot', `--socket=${socket}`, '-e', sql]);
      break;
    } catch (error) {
      if (Date.now() > until || server.exitCode !== null) throw error;
      await wait(200);
    }
  }
  return {
    port,
    close: async () => {
      server.kill();
      await ended;
    },
  };
}

const hasAll = (what, names, files = []) => {
  const missing =
    names.find((name) => programOf(name) === undefined) ?? files.find(({ path }) => !existsSync(path))?.name;
  if (missing !== undefined) say(`There is no ${missing} here: connectors are not tested on a real ${what}.`);
  return missing === undefined;
};
const hasMariadb = hasAll('MariaDB', ['mariadbd', 'mariadb-install-db', 'mariadb']);
const hasGit = hasAll('Git', ['git']);
/** Debian puts modules of its web servers there. */
const nginxDav = '/usr/lib/nginx/modules/ngx_http_dav_ext_module.so';
const lighttpdDav = '/usr/lib/lighttpd/mod_webdav.so';
const webdav = [
  ...(hasAll('nginx', ['nginx'], [{ name: 'libnginx-mod-http-dav-ext', path: nginxDav }]) ? ['nginx'] : []),
  ...(hasAll('lighttpd', ['lighttpd'], [{ name: 'lighttpd-mod-webdav', path: lighttpdDav }]) ? ['lighttpd'] : []),
];
if (!hasMariadb && !hasGit && webdav.length === 0) process.exit(0);
const tests = createTestFolder();
let server;
try {
  if (hasMariadb) server = await step('Starting MariaDB', () => start(join(tests, 'mariadb')));
  const files = [
    ...(hasMariadb ? ['mariadb.sources'] : []),
    ...(hasGit ? ['git.sources'] : []),
    ...(webdav.length > 0 ? ['webdav.sources'] : []),
  ];
  const config = ['--config', join(root, 'vitest.sources.config.ts')];
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...config, ...files];
  const env = { ...process.env, TMPDIR: tests, STUDIO_MARIADB_PORT: String(server?.port ?? '') };
  Object.assign(env, { STUDIO_WEBDAV_PROGRAMS: webdav.join(','), STUDIO_NGINX_DAV: nginxDav });
  env.PATH = `${env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`;
  const child = spawn(process.execPath, [...vitest, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
} finally {
  await server?.close();
  rmSync(tests, { recursive: true, force: true });
}
