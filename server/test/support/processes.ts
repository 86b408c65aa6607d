import { execFileSync } from 'node:child_process';

/** The processes that another has started, with such a piece in their command line. */
export const pidsOf = (parent: number, pattern: string): number[] => {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args=']).toString().split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => Number(match?.[2]) === parent && match?.[3]?.includes(pattern) === true)
    .map((match) => Number(match?.[1]));
};
