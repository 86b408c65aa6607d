// A process that runs chosen unit tests again and again on sources that its parent changes between the runs. Stands in a copy of
// the repository. It is ended from outside where a test never comes back.
import { createVitest } from 'vitest/node';

/** A test that takes longer kills the mutation. */
const TEST_TIMEOUT_MS = 30_000;

const [root] = process.argv.slice(2);
const vitest = await createVitest({ root, watch: false, project: ['unit'], reporters: [{}], silent: true });
const configs = [vitest.config, ...vitest.projects.map(({ config }) => config)];
for (const config of configs) {
  config.maxWorkers = 1;
  config.testTimeout = TEST_TIMEOUT_MS;
  config.hookTimeout = TEST_TIMEOUT_MS;
}
vitest.config.sequence.sequencer = class {
  sort = (specs) => Promise.resolve(specs);
  shard = this.sort;
};

/** Result of a test file: the name of the first failed test, or null; and the duration. */
function verdictOf(module) {
  const [test] = module.children.allTests('failed');
  const broken = module.state() === 'failed' ? 'the file could not be loaded or set up' : null;
  return { failed: test ? test.fullName : broken, seconds: module.diagnostic().duration / 1000 };
}

/** Runs the tests in their order, until one fails where `untilFailure`. Returns what became of each file that was run, by its path. */
async function run({ changed, tests, untilFailure }) {
  for (const path of changed) vitest.invalidateFile(path);
  for (const config of configs) config.bail = untilFailure ? 1 : 0;
  vitest.state.filesMap.clear();
  const [project] = vitest.projects;
  const specs = tests.map((path) => project.createSpecification(path));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs);
  for (const path of changed) vitest.invalidateFile(path);
  const files = Object.fromEntries(testModules.map((module) => [module.moduleId, verdictOf(module)]));
  const outside = unhandledErrors.length > 0 ? `outside of any test: ${String(unhandledErrors[0]?.message)}` : null;
  return { files, outside };
}

const answer = async (message) => process.send(await run(message));

process.on('message', (message) => {
  if (message === 'close') void vitest.close().finally(() => process.exit());
  else void answer(message);
});
process.once('disconnect', () => process.exit());
process.send('ready');
