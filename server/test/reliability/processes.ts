import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_PROCESS } from '../support/processes.ts';

/** What of a service may be killed. */
export const victims = ['service', 'worker', 'database', 'parser', 'model'] as const;
export type Victim = (typeof victims)[number];

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

const read = (pid: number, name: string) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};

function processes(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const pid = Number(name);
      const parent = Number(read(pid, 'stat').split(') ').at(-1)?.split(' ')[1] ?? 0);
      return { pid, parent, command: read(pid, 'cmdline').replaceAll('\0', ' ') };
    });
}

function below(root: number): readonly Process[] {
  const all = processes();
  const found: Process[] = [];
  for (let parents = [root]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map(({ pid }) => pid);
  }
  return found;
}

const programs: Readonly<Record<Exclude<Victim, 'service' | 'database'>, RegExp>> = {
  worker: /src\/main\.mjs/,
  parser: /\/document-reader\/index\.mjs|\/documents\/src\/sandbox\/child\.ts/,
  model: MODEL_PROCESS,
};

/** Process ids of what is to be killed; empty where none runs. */
export function pidsOf(
  victim: Victim,
  { pid, dataFolder }: { readonly pid: number; readonly dataFolder: string },
): number[] {
  if (victim === 'service') return [pid];
  if (victim === 'database') {
    // Its first line. Source: PostgreSQL, "postmaster.pid".
    try {
      return [Number(readFileSync(join(dataFolder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])];
    } catch {
      return [];
    }
  }
  return below(pid)
    .filter(({ command }) => programs[victim].test(command))
    .map((one) => one.pid);
}

/** Command lines of processes that still name the folder, this one left out. */
export const processesOf = (folder: string): string[] =>
  processes()
    .filter(({ pid, command }) => pid !== process.pid && command.includes(folder))
    .map(({ pid, command }) => `${pid} ${command}`);
