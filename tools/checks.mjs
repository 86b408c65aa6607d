// The checks that need no test run: types, lint, unused code.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { capture, step } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(root, 'node_modules', name);

// The checks run side by side. Threads of one of them check the same declarations again, each for itself: on two cores they take twice
// the processor time and nobody waits less.
const oneThread = ['--singleThreaded'];
const goThreads = String(Math.ceil(availableParallelism() / 2));

const checks = [
  { title: 'Types (tsc)', file: bin('typescript/bin/tsc'), args: ['-p', '.', ...oneThread] },
  { title: 'Types of the console (tsc)', file: bin('typescript/bin/tsc'), args: ['-p', 'console', ...oneThread] },
  { title: 'Lint (oxlint)', file: bin('oxlint/bin/oxlint'), args: ['--type-aware', '--deny-warnings'] },
  { title: 'Unused code (knip)', file: bin('knip/bin/knip.js'), args: ['--no-config-hints'] },
  {
    // What tests alone need belongs to them. Types cost the product nothing.
    title: 'Code for tests alone (knip)',
    file: bin('knip/bin/knip.js'),
    args: ['--no-config-hints', '--production', '--include', 'files,exports'],
  },
];

/** The longest of them, which has one core for itself at its end. */
const LAST = 'Lint (oxlint)';

const format = { title: 'Format (oxfmt)', file: bin('oxfmt/bin/oxfmt'), args: ['--check', '.'] };

/** All checks side by side. Resolves with the title of each that failed, and what it said. */
export const runChecks = () => run([...checks, format]);

/**
 * The checks of `npm test`: `first` resolves while the longest of them goes on, so that tests begin on the core that it leaves free.
 * Both resolve with what failed.
 */
export const beginChecks = () => ({
  first: run(checks.filter(({ title }) => title !== LAST)),
  last: run(checks.filter(({ title }) => title === LAST)),
});

async function run(wanted) {
  const failed = [];
  await Promise.all(
    wanted.map(async ({ title, file, args }) => {
      try {
        await step(title, async () => {
          const { code, output } = await capture(process.execPath, [file, ...args], {
            cwd: root,
            env: { ...process.env, GOMAXPROCS: goThreads },
          });
          if (code !== 0) throw new Error(output.trimEnd());
        });
      } catch ({ message }) {
        failed.push({ title, message });
      }
    }),
  );
  return failed;
}
