import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../children.ts';
import { type Contender, Skipped, type StartContext } from './contender.ts';

const VERSION = '1.15.2';
const INSTALL_MS = 120_000;

/**
 * Not a dependency of this project: installed beside it when the benchmark runs. With the newest @hono/node-server
 * that its range allows, every stream of this version fails; 1.13.7 works.
 */
const manifest = {
  name: 'bench-portkey',
  private: true,
  dependencies: { '@portkey-ai/gateway': VERSION },
  overrides: { '@hono/node-server': '1.13.7' },
};

/** npm beside this Node, or the one of the search path. */
function npm(args: readonly string[], cwd: string) {
  const cli = process.env['npm_execpath'];
  const [file, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  return spawnSync(file, [...first, ...args], { cwd, encoding: 'utf8', timeout: INSTALL_MS });
}

function install({ cache }: StartContext): string {
  const folder = join(cache, `portkey-${VERSION}`);
  const main = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (existsSync(main)) return main;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const { status, stderr } = npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  if (status === 0 && existsSync(main)) return main;
  rmSync(folder, { recursive: true, force: true });
  throw new Skipped(`@portkey-ai/gateway ${VERSION} could not be installed: ${stderr.trim().split('\n')[0] ?? ''}`);
}

/** Another gateway of the same kind, in the same language. */
export const portkey: Contender = {
  name: 'portkey',
  description: `@portkey-ai/gateway ${VERSION} of the registry, @hono/node-server 1.13.7`,
  async start(context) {
    const main = install(context);
    const port = await freePort();
    const program = context.programs.start(process.execPath, [main, `--port=${port}`, '--headless'], {
      core: context.core,
      env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    });
    const headers = {
      authorization: 'Bearer none',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${context.enginePort}/v1`,
    };
    return { program, target: { port, path: '/v1/chat/completions', headers } };
  },
};
