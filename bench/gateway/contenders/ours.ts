import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../children.ts';
import { PLAIN, RENAMED } from '../workloads.ts';
import type { Contender, ContenderName } from './contender.ts';

const KEY = 'a-key-for-the-benchmark';

const SETTINGS = 'embedded defaults, one process, key check, validation, limits, metering and log on';

/** The entry of a checkout, by its current or its former name. */
const mainOf = (root: string) =>
  ['server/src/main.mjs', 'server/src/main.ts'].map((file) => join(root, file)).find((file) => existsSync(file));

/** Makes a key whose chats are masked, by the command line beside the running service. Returns its value. */
async function createGuardedKey(main: string, config: string): Promise<string> {
  const args = [main, 'key', 'create', 'guarded', '--privacy', 'mask'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, STUDIO_CONFIG: config },
  });
  return stdout.trim();
}

/** What an engine with a limit is told of. */
interface Settings {
  /** Calls that the engine takes at one time. */
  readonly places?: number;
  /** How long a call may wait for one. */
  readonly queueMs?: number;
}

/** The service of a checkout, as it starts by default, with one engine: key check, validation, limits, metering and log are on. */
const service = (name: ContenderName, description: string, root: string, settings: Settings = {}): Contender => ({
  name,
  description,
  async start({ programs, core, enginePort, folder, profile }) {
    const own = mkdtempSync(join(folder, 'ours-'));
    const port = await freePort();
    const file = join(own, 'studio.yaml');
    const bound = { engines: [{ engine: 'bench' }] };
    // JSON is YAML.
    writeFileSync(
      file,
      JSON.stringify({
        data_dir: join(own, 'data'),
        server: { port },
        // Counted all the same, against limits that are never reached.
        limits: { requests_per_minute: 2_000_000_000, tokens_per_minute: 9_000_000_000_000 },
        engines: {
          bench: {
            addresses: [`http://127.0.0.1:${enginePort}/v1`],
            dialect: 'vllm',
            max_connections: settings.places ?? 16_384,
          },
        },
        ...(settings.queueMs === undefined ? {} : { timeouts: { queue_ms: settings.queueMs } }),
        models: { [PLAIN]: bound, [RENAMED]: bound },
        log: { format: 'json' },
      }),
    );
    const main = mainOf(root);
    if (main === undefined) throw new Error(`${root} is no checkout of this service`);
    const flags = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    const program = programs.start(process.execPath, [...flags, main, 'serve'], {
      core,
      env: { STUDIO_CONFIG: file, STUDIO_INIT_API_KEY: KEY },
    });
    const targetFor = (key: string, path = '/v1/chat/completions') => ({
      port,
      path,
      headers: { authorization: `Bearer ${key}` },
    });
    let guardedKey: Promise<string> | undefined;
    return {
      program,
      target: targetFor(KEY),
      responses: targetFor(KEY, '/v1/responses'),
      guarded: async () => targetFor(await (guardedKey ??= createGuardedKey(main, file))),
    };
  },
});

const thisCheckout = fileURLToPath(new URL('../../..', import.meta.url));

export const ours = service('ours', `this service: ${SETTINGS}`, thisCheckout);

/** This service in front of an engine with a limit. */
export const oursLimited = (settings: Settings): Contender =>
  service('ours', `this service: ${SETTINGS}`, thisCheckout, settings);

/** Another checkout, with its packages installed: to see in one run what a change has cost. Its guard is not measured. */
export function before(folder: string): Contender {
  const other = service('before', `the service in ${folder}: ${SETTINGS}`, resolve(folder));
  return {
    ...other,
    async start(context) {
      const { program, target } = await other.start(context);
      return { program, target };
    },
  };
}
