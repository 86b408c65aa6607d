// `npm run test:go`: agents by the official A2A SDK of Go, in a version that is pinned. Where the machine has no Go it says so and ends well:
// `npm test` needs none of it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runClientTests } from './client-tests.mjs';
import { capture, say, step } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.runtime/go');
const client = join(folder, 'client');
/** The oldest Go that the SDK takes; the `go` line of its go.mod. */
const OLDEST = [1, 25];

async function hasGo() {
  const { code, output } = await capture('go', ['env', 'GOVERSION']);
  const [major = 0, minor = 0] = (/go(\d+)\.(\d+)/.exec(output)?.slice(1) ?? []).map(Number);
  return code === 0 && (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]));
}

/** Compiles the client; what it is made of is kept in the caches of Go itself, of modules and of what was compiled. */
async function build() {
  mkdirSync(folder, { recursive: true });
  const { code, output } = await capture('go', ['build', '-mod=readonly', '-buildvcs=false', '-o', client, '.'], {
    cwd: join(root, 'server/test/go/client'),
    // No other Go is brought for it.
    env: { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  });
  if (code !== 0) throw new Error(output.trim().split('\n').slice(-15).join('\n'));
}

if (!(await hasGo())) {
  say(`There is no Go ${OLDEST.join('.')} or newer here: the A2A SDK of Go is not tested.`);
  process.exit(0);
}
try {
  await step('Building the client of Go', build);
} catch (error) {
  say(`The client of Go could not be built, and is not tested:\n${error.message}`);
  process.exit(process.env.CI === undefined ? 1 : 0);
}
await runClientTests(root, { language: 'Go', config: 'vitest.go.config.ts', env: { STUDIO_GO_CLIENT: client } });
