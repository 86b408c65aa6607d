import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { bundleFolder } from './server/src/bundle.mjs';
import { isLong } from './server/test/support/long.ts';
import { readTimes } from './tools/test-times.mjs';

const cores = availableParallelism();
/** What a worker, its browser and its services may hold at one time, with what they write. */
const WORKER_BYTES = 3 * 1024 ** 3;
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
/** More workers than cores, as tests wait for half of their time; fewer where there is no memory for them. */
const workersFor = (wanted: number) =>
  Math.max(Math.min(4, cores + 1), Math.min(8, wanted, Math.floor(memory / WORKER_BYTES)));

/** Of a file that was never timed: it may be long, and begins early. */
const UNKNOWN_SECONDS = 600;

/** The server as `npm start` runs it, where its sources are bundled as they are now. */
const bundle = bundleFolder(import.meta.dirname);

/** The modules that start programs which are bundled too: readers of documents, and models. */
const startsPrograms = /\/(?:documents\/src\/sandbox\/worker|llama-runtime\/src\/supervisor\/child-main)\.ts$/;
const BESIDE = 'dirname(import.meta.filename)';
/** Those start the bundled programs, as in a service: from sources each start takes three times as much of the processor. */
const bundledPrograms = {
  name: 'bundled-programs',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!startsPrograms.test(id) || !existsSync(bundle)) return null;
    if (!code.includes(BESIDE)) throw new Error(`${id} looks for its bundle elsewhere: change vitest.config.ts`);
    return code.replace(BESIDE, JSON.stringify(bundle));
  },
};

/** Files whose pages take a core each; most others wait for half of their time. */
const hasPages = ({ moduleId }: TestSpecification) => moduleId.includes('/e2e/console/');

/** Two lists as one in which the time of either passes as fast: what takes a core stands beside what waits. */
function mixed<T>(lists: readonly (readonly T[])[], timeOf: (one: T) => number): T[] {
  const rows = lists.map((list) => {
    const all = list.reduce((sum, one) => sum + timeOf(one), 0);
    let passed = 0;
    return list.map((one) => {
      const at = passed / all;
      passed += timeOf(one);
      return { one, at };
    });
  });
  return rows
    .flat()
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** Begins with the files that took longest last time; one that was never timed may be long. */
class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times: Readonly<Record<string, number>> = readTimes();
    const seconds = ({ moduleId }: TestSpecification) =>
      times[relative(import.meta.dirname, moduleId)] ?? UNKNOWN_SECONDS;
    const longest = files.toSorted((a, b) => seconds(b) - seconds(a));
    const groups = Map.groupBy(longest, ({ project }) => project.config.sequence.groupOrder);
    return Promise.resolve(
      [...groups]
        .toSorted(([a], [b]) => a - b)
        .flatMap(([, group]) => mixed([group.filter(hasPages), group.filter((one) => !hasPages(one))], seconds)),
    );
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['server/test/setup/database.ts'],
    projects: [
      {
        plugins: [bundledPrograms],
        test: {
          name: 'unit',
          include: [
            'contract/src/**/*.test.ts',
            'console/src/**/*.test.ts',
            'packages/**/*.test.ts',
            'server/src/**/*.test.ts',
            'server/test/**/*.test.ts',
            'tools/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.e2e.test.ts'],
          pool: 'threads',
          isolate: false,
          // Many wait for the database. Each loads the server for itself: with more the whole takes longer.
          maxWorkers: workersFor(2 * cores),
          // Far beyond what a test takes on a busy machine: only one that hangs meets it.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 90_000 } },
        },
      },
      {
        test: {
          name: 'processes',
          include: [
            'packages/**/*.e2e.test.ts',
            'server/**/*.e2e.test.ts',
            'console/**/*.e2e.test.ts',
            'examples/**/*.e2e.test.ts',
            'bench/**/*.e2e.test.ts',
            // Of the long run alone.
            ...(isLong ? ['server/test/**/*.long.ts'] : []),
          ],
          exclude: ['**/node_modules/**'],
          pool: 'forks',
          setupFiles: ['server/test/setup/failed-test.ts'],
          env: existsSync(bundle) ? { STUDIO_TEST_BUNDLE: bundle } : {},
          // Files of one worker share its browser and its service.
          isolate: false,
          // One more than cores: with two more of them the same files take a seventh more of processor time, and no less time.
          maxWorkers: workersFor(cores + 1),
          // After the unit tests, whose workers would fight with these processes for the cores.
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 90_000 } },
        },
      },
    ],
  },
});
