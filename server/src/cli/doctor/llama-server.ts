import { access, constants } from 'node:fs/promises';
import type { Config } from '../../config/index.ts';
import { ok, warn, type Finding } from './finding.ts';

const SUBJECT = 'llama-server';

/** Whether the program is there that is to run single models in place of the bundled runtime. */
export async function checkLlamaServer({ local_models: own }: Pick<Config, 'local_models'>): Promise<Finding[]> {
  const { llama_server: path, models } = own;
  if (path === undefined) return [];
  // A bare name is looked for where the system looks for programs.
  const isThere =
    !/[\\/]/.test(path) ||
    (await access(path, constants.X_OK)
      .then(() => true)
      .catch(() => false));
  const ids = Object.entries(models).flatMap(([id, { runtime, mmproj }]) =>
    runtime === 'llama-server' || mmproj !== undefined ? [id] : [],
  );
  if (isThere) return [ok(SUBJECT, `${path}, for ${ids.length === 0 ? 'no model' : ids.join(', ')}`)];
  return [
    warn(
      SUBJECT,
      `${path} is not there, or may not be run`,
      'Set local_models.llama_server to the path of the program. Requests for its models are answered 503 until then.',
    ),
  ];
}
