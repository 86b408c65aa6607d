import { readFileSync } from 'node:fs';
import type { Command } from './command.ts';

/** The version of the service. */
export const serviceVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

export const version: Command = async ({ out }) => {
  out.print(`AI Studio ${serviceVersion()} (Node.js ${process.versions.node})`);
  return 0;
};
