import { freemem, totalmem } from 'node:os';
import { type Config, givenCores } from '../../config/index.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const MIN_NODE_MAJOR = 24;
const GIB = 1024 ** 3;
/** The service and its PostgreSQL take about half of this. */
const MIN_MEMORY_BYTES = 0.5 * GIB;

const gib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`;

/** Node.js, cores and memory. */
export function checkMachine({ server }: Config): Finding[] {
  const major = Number(process.versions.node.split('.')[0]);
  const cores = givenCores();
  const available = process.availableMemory();
  return [
    major >= MIN_NODE_MAJOR
      ? ok('Node.js', process.versions.node)
      : fail(
          'Node.js',
          `${process.versions.node} is too old`,
          '"npm start" brings the right one; or install Node.js 24.',
        ),
    server.workers > cores
      ? warn(
          'Cores',
          `${cores}, fewer than server.workers (${server.workers})`,
          `Set server.workers to ${cores} or less.`,
        )
      : ok('Cores', `${cores}; server.workers is ${server.workers}`),
    available < MIN_MEMORY_BYTES
      ? warn(
          'Memory',
          `only ${gib(available)} left of ${gib(totalmem())}`,
          'Close other programs or give the machine more.',
        )
      : ok('Memory', `${gib(Math.max(available, freemem()))} left of ${gib(totalmem())}`),
  ];
}
