import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../support/modules.ts';

// The real bootstrap in a small project of its own: no packages to install, and a service that only tells what reaches it.

const base = mkdtempSync(join(tmpdir(), 'ai-studio-boot-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let project = '';
let number = 0;

const service = `
const end = (why, code) => { console.log(why); process.exit(code); };
process.once('SIGINT', () => end('int', 7));
process.once('SIGTERM', () => end('term', 8));
process.once('disconnect', () => end('alone', 9));
setInterval(() => undefined, 1000);
console.log('up ' + process.pid + ' ' + JSON.stringify(process.argv.slice(2)));
`;

beforeEach(() => {
  project = join(base, `한글 폴더 ${++number}`);
  mkdirSync(join(project, 'server/src'), { recursive: true });
  cpSync(join(root, 'tools'), join(project, 'tools'), { recursive: true });
  const manifest = { name: 'x', version: '1.0.0', private: true };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(project, 'package-lock.json'),
    JSON.stringify({ ...manifest, lockfileVersion: 3, packages: { '': manifest } }),
  );
  writeFileSync(join(project, 'server/src/main.mjs'), service);
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function boot(...args: string[]) {
  const child = spawn(process.execPath, [join(project, 'tools/bootstrap.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  });
  started.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const until = async (text: string | RegExp) => {
    await expect.poll(() => printed).toMatch(text);
    return printed;
  };
  return { child, exited, until, printed: () => printed };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('the bootstrap', () => {
  test('installs once, hands over with the arguments, and installs nothing the second time', async () => {
    const first = boot('start', '--port', '9', '한글');
    expect(await first.until(/up \d+/)).toContain('Installing packages');
    expect(first.printed()).toContain('["serve","--port","9","한글"]');
    first.child.kill('SIGTERM');
    expect(await first.exited).toBe(8);
    expect(existsSync(join(project, 'node_modules/.ai-studio-installed'))).toBe(true);

    const second = boot('studio', 'doctor');
    expect(await second.until(/up \d+/)).not.toContain('Installing');
    expect(second.printed()).toContain('["doctor"]');
    second.child.kill('SIGINT');
    expect(await second.exited).toBe(7);
  });

  test('installs again when the lock file has changed', async () => {
    const first = boot('start');
    await first.until(/up \d+/);
    first.child.kill('SIGTERM');
    await first.exited;
    const lock = join(project, 'package-lock.json');
    writeFileSync(lock, `${readFileSync(lock, 'utf8')}\n`);
    const second = boot('start');
    expect(await second.until(/up \d+/)).toContain('Installing packages');
    second.child.kill('SIGTERM');
    await second.exited;
  });

  test('shows why packages could not be installed', async () => {
    writeFileSync(join(project, 'package-lock.json'), 'not JSON');
    const { exited, printed } = boot('start');
    expect(await exited).toBe(1);
    expect(printed()).toContain('npm error');
    expect(printed()).toContain('Could not install the packages');
  });

  test('starts the service also when its console cannot be built, and says why', async () => {
    mkdirSync(join(project, 'console'));
    writeFileSync(join(project, 'console/package.json'), '{}');
    for (const source of ['contract/src', 'docs/guide']) mkdirSync(join(project, source), { recursive: true });
    const { child, exited, until } = boot('start');
    const printed = await until(/up \d+/);
    // There are no packages in this project.
    expect(printed).toMatch(/Cannot find package 'vite'[^]*The web console could not be built[^]*up \d+/);
    child.kill('SIGTERM');
    expect(await exited).toBe(8);
    expect(await boot('console').exited).toBe(1);
  });

  test('leaves no service behind when it is killed', async () => {
    const { child, exited, until } = boot('start');
    const printed = await until(/up \d+/);
    const pid = Number(/up (\d+)/.exec(printed)?.[1]);
    child.kill('SIGKILL');
    await exited;
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test('ends with a program that ends, though that one watched over it', async () => {
    const program = `import { onParentExit } from '../../tools/parent.mjs';
      onParentExit(() => undefined);
      process.exitCode = 3;`;
    writeFileSync(join(project, 'server/src/main.mjs'), program);
    const { exited } = boot('studio');
    expect(await exited).toBe(3);
  });

  test('two at once install one after the other', async () => {
    const both = [boot('start'), boot('start')];
    for (const { until } of both) await until(/up \d+/);
    const installs = both.filter(({ printed }) => printed().includes('✔ Installing packages'));
    expect(installs).toHaveLength(1);
    for (const { child } of both) child.kill('SIGTERM');
    expect(await Promise.all(both.map(({ exited }) => exited))).toEqual([8, 8]);
  });

  test('says what it can do when it is asked for something else', async () => {
    const { exited, printed } = boot('bogus');
    expect(await exited).toBe(1);
    expect(printed()).toContain(
      'start|studio|test|test:long|test:mutation|test:python|test:go|test:opensearch|test:sources|check',
    );
  });
});
