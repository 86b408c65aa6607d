#!/usr/bin/env node
// What `npm start`, `npm test`, `npm run check`, `npm run bench`, `npm run console` and `npm run studio` run: brings Node 24, the packages
// and the web console where they are missing, then hands over. Plain JavaScript on purpose: it must run on Node 20 in a fresh clone.
import { spawn } from 'node:child_process';
import { availableParallelism, constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureConsole } from './console.mjs';
import { ensureInstalled } from './install.mjs';
import { say, SetupError } from './progress.mjs';
import { ensureNode } from './runtime.mjs';
import { ensureServer } from './server.mjs';
import { installTestPrograms } from './test-setup.mjs';

const PARENT_CHECK_MS = 500;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What each command runs under the right Node. */
const programs = {
  start: ['server/src/main.mjs', 'serve'],
  studio: ['server/src/main.mjs'],
  test: ['tools/test.mjs'],
  'test:long': ['tools/test-long.mjs'],
  'test:mutation': ['tools/test-mutation.mjs'],
  'test:python': ['tools/test-python.mjs'],
  'test:go': ['tools/test-go.mjs'],
  'test:opensearch': ['tools/test-opensearch.mjs'],
  'test:sources': ['tools/test-sources.mjs'],
  check: ['tools/check.mjs'],
  bench: ['bench/all/run.ts'],
};

/**
 * Heaps that the C library of Linux keeps for threads, eight a core unless it is told: what threads of the search index gave back
 * stayed in them, some 70 MB on two cores.
 */
const mallocArenas = () => String(Math.max(2, Math.ceil(availableParallelism() / 4)));

/**
 * Runs the program in this terminal and ends as it ends. The open channel tells the program when this process is gone
 * (a kill -9 too), so that no service is left behind; the same holds for the npm that started this process.
 */
function runProgram(node, args) {
  const parent = process.ppid;
  const env = {
    MALLOC_ARENA_MAX: mallocArenas(),
    NODE_COMPILE_CACHE: join(root, '.runtime/compile-cache'),
    ...process.env,
  };
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
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

/** Like Promise.all, but rejects only when all steps have ended, so that none goes on after the error message. */
async function waitForAll(steps) {
  const ends = await Promise.allSettled(steps);
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return ends.map(({ value }) => value);
}

async function main([command, ...args]) {
  const program = programs[command];
  if (!program && command !== 'console')
    throw new SetupError(`Usage: node tools/bootstrap.mjs ${Object.keys(programs).join('|')}|console [options]`);
  // Side by side, as each waits for its downloads.
  const [node] = await waitForAll([
    ensureNode(root),
    ensureInstalled(root, process.execPath, ['start', 'studio', 'console'].includes(command) ? 'service' : 'all'),
    ...(command.startsWith('test') ? [installTestPrograms()] : []),
  ]);
  if (!program) {
    if (!(await ensureConsole(root, node))) process.exitCode = 1;
    return;
  }
  const needsConsole = command === 'start' || command === 'bench' || (command === 'studio' && args[0] === 'serve');
  // The service starts without its console too: it says there what to do.
  await waitForAll([
    ...(needsConsole ? [ensureConsole(root, node)] : []),
    ...(needsConsole || command === 'studio' ? [ensureServer(root, node)] : []),
  ]);
  const [file, ...first] = program;
  runProgram(node, [join(root, file), ...first, ...args]);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  say(error instanceof SetupError ? `\n${error.message}` : `\n${error.stack}`);
  process.exitCode = 1;
}
