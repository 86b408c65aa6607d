// `npm run test:mutation`: would the tests notice? Makes small wrong changes in the code that every call passes, each in a copy of the
// repository, and runs the unit tests that reach it. Writes what it came to, with the commit, into docs/reference/mutation.md.
//
// `--count 100`: so many, a repeatable choice by `--seed 1`. `--only PATH` (again and again): of these files alone, and nothing is written.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutationsOf, sample } from './mutation/mutations.mjs';
import { createSandbox } from './mutation/sandbox.mjs';
import { writePage } from './mutation/page.mjs';
import { createTestSelector } from './mutation/related.mjs';
import { onParentExit } from './parent.mjs';
import { capture, say } from './progress.mjs';
import { createTestFolder } from './test-folder.mjs';
import { readTimes } from './test-times.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/reference/mutation.md');

/**
 * Code that every call passes: the pipeline of chats, what is kept of them, runs of agents, personal values and their guard, limits, errors. Not compose, which picks the
 * parts of a service and is tested by whole services.
 */
const FILES = [
  'packages/reply-format/src/**/*.ts',
  'server/src/{inference,conversations,privacy/recognisers}/**/*.ts',
  'server/src/privacy/{checksums,guard/**/*}.ts',
  'server/src/agents/runs/execution.ts',
  'server/src/adapters/rate-window.ts',
  'server/src/adapters/embedded/*rate-limiter*.ts',
  'server/src/http-kit/{failures,rate}.ts',
  'server/src/kernel/{actor,disk-full,errors,retry*}.ts',
  'server/src/ports/failure.ts',
  'server/src/usage/metering.ts',
];
/** The nearest tests of a file: so many, and as long as they take together when the machine is idle. */
const MAX_TESTS = 12;
const MAX_TESTS_SECONDS = 12;
/** One that takes longer is hardly a test of one file. */
const MAX_TEST_SECONDS = 8;
const UNKNOWN_SECONDS = 2;
/** Tests that take longer than this have killed the mutation, as a rule by an endless loop. */
const limitMs = (seconds) => 20_000 + 3 * seconds * 1000;
/** For all mutations together. What is left then was not tried. */
const MAX_MS = 18 * 60_000;
const MAX_SANDBOXES = 2;

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
  },
});

const sourceOf = (path) => readFileSync(join(root, path), 'utf8');
const relatedTo = createTestSelector(root);
const times = readTimes();

/** The nearest tests of a file that take no longer than they may. */
function testsOf(path) {
  let seconds = 0;
  const fitting = relatedTo(path).filter((test) => {
    const own = times[test] ?? UNKNOWN_SECONDS;
    if (own > MAX_TEST_SECONDS || seconds + own > MAX_TESTS_SECONDS) return false;
    seconds += own;
    return true;
  });
  return fitting.slice(0, MAX_TESTS);
}

/** Runs all tests on the sources as they are. Returns how long each took; those that fail are left out and named. */
async function measure(sandboxes, tests) {
  const seconds = new Map();
  const work = async (sandbox, at) => {
    const own = tests.filter((_, nth) => nth % sandboxes.length === at);
    const done = await sandbox.run({ changed: [], tests: own, untilFailure: false, limitMs: MAX_MS });
    if (done === null) throw new Error('The tests took too long');
    for (const [path, verdict] of done.files) {
      if (verdict.failed === null) seconds.set(path, verdict.seconds);
      else say(`! left out, as it fails without any change: ${path} > ${verdict.failed}`);
    }
  };
  await Promise.all(sandboxes.map(work));
  return seconds;
}

/** Runs the tests against a mutation. Returns what killed it, or null. */
async function attempt(sandbox, { path, mutated }, tests, seconds) {
  sandbox.write(path, mutated());
  try {
    const limit = limitMs(tests.reduce((sum, test) => sum + (seconds.get(test) ?? 0), 0));
    const done = await sandbox.run({ changed: [path], tests, untilFailure: true, limitMs: limit });
    if (done === null) return 'took too long';
    const [failed] = [...done.files].filter(([, verdict]) => verdict.failed !== null);
    return failed ? `${failed[0]} > ${failed[1].failed}` : done.outside;
  } finally {
    sandbox.write(path, sourceOf(path));
  }
}

/** Tries mutations one after the other in each sandbox, while there is time. Returns them with what killed each and which tests ran. */
async function attemptAll(sandboxes, mutations, seconds, untilMs) {
  const left = [...mutations];
  const tried = [];
  const work = async (sandbox) => {
    for (let mutation = left.shift(); mutation; mutation = performance.now() < untilMs ? left.shift() : undefined) {
      const tests = testsOf(mutation.path).filter((test) => seconds.has(test));
      const killedBy = tests.length === 0 ? null : await attempt(sandbox, mutation, tests, seconds);
      tried.push({ ...mutation, killedBy, tests: tests.length === 0 ? 'no test' : `${tests.length} files` });
      const verdict = killedBy === null ? (tests.length === 0 ? 'no test' : 'SURVIVED') : `killed by ${killedBy}`;
      say(`${tried.length}/${mutations.length} ${mutation.path}:${mutation.line}  ${mutation.change}  ${verdict}`);
    }
  };
  await Promise.all(sandboxes.map(work));
  return tried;
}

/** The commit that is tried. */
async function readCommit() {
  const git = async (...args) => (await capture('git', ['-C', root, ...args])).output.trim();
  const changes = await git('status', '--porcelain', '--', 'server', 'packages', 'contract');
  return `${await git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : ' and changes'}`;
}

const commit = await readCommit();
const startedMs = performance.now();
const paths = globSync(options.only ?? FILES, { cwd: root }).filter((path) => !/\.(?:test|fixture)\.ts$/.test(path));
const known = paths.toSorted().flatMap((path) => mutationsOf(path, sourceOf(path)));
const chosen = sample(known, Number(options.count), options.seed);
say(`${chosen.length} of ${known.length} mutations in ${paths.length} files`);
const folder = createTestFolder();
onParentExit(() => process.exit(1));
const sandboxes = [];
try {
  const count = Math.min(MAX_SANDBOXES, availableParallelism());
  for (let at = 0; at < count; at++) sandboxes.push(await createSandbox(root, join(folder, `sandbox-${at}`)));
  const seconds = await measure(sandboxes, [...new Set(chosen.flatMap(({ path }) => testsOf(path)))]);
  const tried = await attemptAll(sandboxes, chosen, seconds, startedMs + MAX_MS);
  const survived = tried.filter(({ killedBy }) => killedBy === null);
  const killed = tried.length - survived.length;
  const cells = [
    new Date().toISOString().slice(0, 10),
    commit,
    `${availableParallelism()} cores`,
    `${Math.round((performance.now() - startedMs) / 60_000)} min`,
    options.seed,
    `${killed} of ${tried.length}`,
    String(survived.filter(({ tests }) => tests === 'no test').length),
  ];
  if (!options.only) writeFileSync(page, writePage(readFileSync(page, 'utf8'), { cells, survived, tried, known }));
  say('');
  for (const { path, line, change, tests } of survived) say(`survived: ${path}:${line}  ${change}  (${tests})`);
  process.stdout.write(`${killed} of ${tried.length} killed, ${chosen.length - tried.length} not tried\n`);
} finally {
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
}
