#!/usr/bin/env node
// What `npm start`, `npm test`, `npm run check` and `npm run studio` run: brings Node 24 and the packages where they
// are missing, then hands over. Plain JavaScript on purpose: it must run on Node 20 in a fresh clone.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { say, SetupError } from './progress.mjs';
import { ensureNode } from './runtime.mjs';

const PARENT_CHECK_MS = 500;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What each command runs under the right Node. */
const programs = {
  start: ['server/src/main.ts', 'serve'],
  studio: ['server/src/main.ts'],
  test: ['tools/test.mjs'],
  check: ['tools/check.mjs'],
};

/**
 * Runs the program in this terminal and ends as it ends. The open channel tells the program when this process is gone
 * (a kill -9 too), so that no service is left behind; the same holds for the npm that started this process.
 */
function handOver(node, args) {
  const parent = process.ppid;
  const child = spawn(node, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '.runtime/compile-cache') },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) {
    setInterval(() => {
      if (process.ppid !== parent && child.connected) child.disconnect();
    }, PARENT_CHECK_MS).unref();
  }
  child.once('error', (error) => {
    say(`Could not start ${node}: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

async function main([command, ...args]) {
  const program = programs[command];
  if (!program) throw new SetupError(`Usage: node tools/bootstrap.mjs ${Object.keys(programs).join('|')} [options]`);
  const node = await ensureNode(root);
  await ensureInstalled(root, node);
  const [file, ...first] = program;
  handOver(node, [join(root, file), ...first, ...args]);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  say(error instanceof SetupError ? `\n${error.message}` : `\n${error.stack}`);
  process.exitCode = 1;
}
