import { execFileSync } from 'node:child_process';

/** A process with a loaded model: from its bundle, or from its sources. */
export const MODEL_PROCESS = /\/llama-child\/index\.mjs|\/llama-runtime\/src\/child\/main\.ts/;

/** The processes that another has started, with such a piece in their command line. */
export const pidsOf = (parent: number, pattern: string | RegExp): number[] => {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => Number(match?.[2]) === parent && (match?.[3]?.search(pattern) ?? -1) >= 0)
    .map((match) => Number(match?.[1]));
};
