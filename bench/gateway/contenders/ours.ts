import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../children.ts';
import { PLAIN, RENAMED } from '../workloads.ts';
import type { Contender } from './contender.ts';

const KEY = 'a-key-for-the-benchmark';

/** This service, as it starts by default, with one engine: key check, validation, limits, metering and log are on. */
export const ours: Contender = {
  name: 'ours',
  description: 'this service: embedded defaults, one process, key check, validation, limits, metering and log on',
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
          bench: { addresses: [`http://127.0.0.1:${enginePort}/v1`], dialect: 'vllm', max_connections: 16_384 },
        },
        models: { [PLAIN]: bound, [RENAMED]: bound },
        log: { format: 'json' },
      }),
    );
    const main = fileURLToPath(new URL('../../../server/src/main.mjs', import.meta.url));
    const flags = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    const program = programs.start(process.execPath, [...flags, main, 'serve'], {
      core,
      env: { STUDIO_CONFIG: file, STUDIO_INIT_API_KEY: KEY },
    });
    return { program, target: { port, path: '/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } } };
  },
};
