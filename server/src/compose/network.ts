import { type OpenedHosts, openOpenedHosts } from '../net-guard/index.ts';
import type { Base } from './parts.ts';
import type { Data } from './store.ts';

// The part of the composition that knows which private hosts requests may go to.

/** The private hosts that requests to addresses of people may go to. */
export interface OpenNetwork {
  readonly hosts: OpenedHosts;
}

/** Opens the list of those hosts: of the configuration, and those opened in the console. */
export async function openNetwork({ config, log, parts }: Base, { db, bus }: Data): Promise<OpenNetwork> {
  const hosts = await openOpenedHosts({ db, bus, log, configured: config.network.allow });
  return { hosts: parts.own('opened hosts', hosts) };
}
