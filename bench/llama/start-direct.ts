import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DirectJob, DirectResult, DirectSettings } from './direct.ts';

/** node-llama-cpp's bindings in a process of their own. */
export interface Direct {
  run(job: DirectJob): Promise<DirectResult>;
  stop(): void;
}

/** Starts that process, and waits until it has loaded the model. */
export async function startDirect(settings: DirectSettings): Promise<Direct> {
  const child = fork(join(import.meta.dirname, 'direct.ts'), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(settings);
  await once(child, 'message');
  return {
    async run(job) {
      child.send(job);
      const [result] = (await once(child, 'message')) as [DirectResult];
      return result;
    },
    stop: () => child.disconnect(),
  };
}
