import { connect } from 'node:net';
import type { ProbeServer } from '../ports/server-probe.ts';

/** A model server that answers on this machine. */
export interface FoundServer {
  readonly baseUrl: string;
  readonly models: readonly string[];
}

const TIMEOUT_MS = 300;

/** Whether anything listens; asked first, as most ports are silent. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (answer: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(false), TIMEOUT_MS);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

async function probe(port: number, probeServer: ProbeServer): Promise<FoundServer | null> {
  if (!(await listens(port))) return null;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const found = await probeServer({ baseUrl, apiKey: null }, AbortSignal.timeout(TIMEOUT_MS)).catch(() => null);
  if (found?.ok !== true || found.models.length === 0) return null;
  return { baseUrl, models: found.models.map(({ name }) => name) };
}

/** Looks for model servers on 127.0.0.1, all ports at once, for a fraction of a second. */
export async function findLocalServers(
  ports: readonly number[],
  probeServer: ProbeServer,
): Promise<readonly FoundServer[]> {
  const found = await Promise.all(ports.map((port) => probe(port, probeServer)));
  return found.filter((one) => one !== null);
}

/** People look again and again. */
const FRESH_MS = 10_000;

const portOf = (url: string): string | null => {
  const { hostname, port, protocol } = new URL(url);
  const local = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return local ? port || (protocol === 'https:' ? '443' : '80') : null;
};

export interface FinderDeps {
  readonly ports: readonly number[];
  readonly probeServer: ProbeServer;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

/** Servers of this machine that nobody has connected, looked for now and then. */
export function createFinder({ ports, probeServer, now = () => performance.now() }: FinderDeps) {
  let last: { readonly atMs: number; readonly found: Promise<readonly FoundServer[]> } | null = null;
  /** Those that are at none of the given addresses. */
  return async (connected: readonly string[]): Promise<readonly FoundServer[]> => {
    if (!last || now() - last.atMs > FRESH_MS) last = { atMs: now(), found: findLocalServers(ports, probeServer) };
    const known = new Set(connected.map(portOf));
    return (await last.found).filter(({ baseUrl }) => !known.has(portOf(baseUrl)));
  };
}
export type Finder = ReturnType<typeof createFinder>;
