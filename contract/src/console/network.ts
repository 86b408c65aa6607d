import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';

export const OpenedHost = described('A private host that was opened in the console', {
  id: z.string().describe('Id of the entry'),
  host: z.string().describe('Name of a host, address or network in CIDR notation, such as 10.1.0.0/16'),
  note: z.string().describe('What it was opened for; empty where nothing was said'),
  opened_by: z.string().describe('Name of the person who opened it'),
  opened_at: z.iso.datetime().describe('Time it was opened, ISO 8601 in UTC'),
});
export type OpenedHost = z.infer<typeof OpenedHost>;

export const OpenedHosts = described('Private hosts that addresses named by people may lead to, for all tenants', {
  configured: z.array(z.string()).describe('Entries of network.allow in the configuration, which are changed there'),
  items: z.array(OpenedHost).describe('Those opened in the console'),
});
export type OpenedHosts = z.infer<typeof OpenedHosts>;

export const NewOpenedHost = describedStrictly('A private host to open', {
  host: z.string().min(1).max(260).describe('Name of a host, address or network in CIDR notation'),
  note: z.string().max(200).default('').describe('What it is opened for'),
});
export type NewOpenedHost = z.infer<typeof NewOpenedHost>;
