import { hasBrowser } from '../../server/test/support/browser.ts';

/** A folder of `bench`, as it is run for its figures. */
export interface Bench {
  readonly name: string;
  /** Programs below `bench` with their arguments, one after the other. */
  readonly runs: readonly (readonly [file: string, ...args: string[]])[];
  /** Most time that a run may take: several times what it takes on a machine with nothing else to do. */
  readonly limitMs: number;
  /** Why it can't be run on this machine; null where it can. */
  readonly obstacle?: () => string | null;
}

const MINUTE_MS = 60_000;
/** Rows of the search index: enough for its structures to be made, few enough for a minute. */
const ROWS = '20000';

const needsLinux = () => (process.platform === 'linux' ? null : 'it reads processor times as Linux has them');

/** All benches, the short ones first. */
export const benches: readonly Bench[] = [
  { name: 'decoder', runs: [['decoder/decoder.ts']], limitMs: 5 * MINUTE_MS },
  { name: 'routing', runs: [['routing/run.ts']], limitMs: 5 * MINUTE_MS },
  { name: 'parsing', runs: [['parsing/run.ts']], limitMs: 10 * MINUTE_MS },
  { name: 'privacy', runs: [['privacy/run.ts']], limitMs: 10 * MINUTE_MS },
  {
    name: 'console',
    runs: [['console/run.ts', '--first-load']],
    limitMs: 5 * MINUTE_MS,
    obstacle: () => (hasBrowser() ? null : 'there is no Chromium'),
  },
  {
    name: 'retrieval',
    runs: [['retrieval/run.ts'], ['retrieval/run.ts', '--rows', ROWS]],
    limitMs: 10 * MINUTE_MS,
  },
  { name: 'start', runs: [['start/run.ts', '--idle', '40']], limitMs: 15 * MINUTE_MS, obstacle: needsLinux },
  { name: 'answers', runs: [['answers/run.ts']], limitMs: 15 * MINUTE_MS },
  { name: 'overload', runs: [['overload/run.ts', '--quick']], limitMs: 10 * MINUTE_MS, obstacle: needsLinux },
  { name: 'agents', runs: [['agents/run.ts', '--quick']], limitMs: 10 * MINUTE_MS, obstacle: needsLinux },
  { name: 'llama', runs: [['llama/run.ts', '--quick', '--repetitions', '3']], limitMs: 15 * MINUTE_MS },
  {
    name: 'gateway',
    runs: [['gateway/run.ts', '--short', '--workloads', 'whole,stream,memory']],
    limitMs: 25 * MINUTE_MS,
    obstacle: needsLinux,
  },
];
