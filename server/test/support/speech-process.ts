import { readdirSync, readFileSync } from 'node:fs';

/** The process of speech models of a service; null where it has none. */
export function speechProcess(servicePid: number): number | null {
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one)))
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]);
      if (parent === servicePid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('speech/child.ts'))
        return Number(name);
    } catch {
      // It has ended since.
    }
  return null;
}
