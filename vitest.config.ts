import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes, the longest first. */
const LONG = [
  'console/pages.e2e',
  'local-models.e2e',
  'console/languages.e2e',
  'retrieval-faults.e2e',
  'kill.e2e',
  'console/agent-chat.e2e',
  'retrieval-commands.e2e',
].map((name) => `/${name}.test.ts`);

/** Begins with the long ones, so that the last worker is not left alone with one. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      if (project.name !== 'processes') return -1;
      const at = LONG.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'contract/src/**/*.test.ts',
            'console/src/**/*.test.ts',
            'server/src/**/*.test.ts',
            'server/test/**/*.test.ts',
            'tools/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/*.e2e.test.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'processes',
          include: [
            'server/**/*.e2e.test.ts',
            'console/**/*.e2e.test.ts',
            'examples/**/*.e2e.test.ts',
            'bench/**/*.e2e.test.ts',
          ],
          exclude: ['**/node_modules/**'],
          pool: 'forks',
          maxWorkers: 2,
          // After the unit tests, whose workers would fight with these processes for the cores.
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
