import { connect } from 'node:net';
import type { ProbeServer } from '../ports/server-probe.ts';

/** A model server that was found on this machine. */
export interface FoundServer {
  readonly baseUrl: string;
  readonly models: readonly string[];
}

const TIMEOUT_MS = 300;

/** Whether anything listens on a port; checked first, as most ports are closed. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (isOpen: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isOpen);
    };
    const timer = setTimeout(() => finish(false), TIMEOUT_MS);
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}

async function probePort(port: number, probeServer: ProbeServer): Promise<FoundServer | null> {
  if (!(await isListening(port))) return null;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const found = await probeServer({ baseUrl, apiKey: null }, AbortSignal.timeout(TIMEOUT_MS)).catch(() => null);
  if (found?.ok !== true || found.models.length === 0) return null;
  return { baseUrl, models: found.models.map(({ name }) => name) };
}

/** Probes all ports of 127.0.0.1 concurrently for model servers, for a fraction of a second. */
export async function findLocalServers(
  ports: readonly number[],
  probeServer: ProbeServer,
): Promise<readonly FoundServer[]> {
  const found = await Promise.all(ports.map((port) => probePort(port, probeServer)));
  return found.filter((one) => one !== null);
}

/** Time for which a result is cached, as the page reloads it often. */
const CACHE_MS = 10_000;

const portOf = (url: string): string | null => {
  const { hostname, port, protocol } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return isLocal ? port || (protocol === 'https:' ? '443' : '80') : null;
};

export interface FinderDeps {
  readonly ports: readonly number[];
  readonly probeServer: ProbeServer;
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** Creates a finder of servers on this machine that are not connected yet. */
export function createFinder({ ports, probeServer, now = () => performance.now() }: FinderDeps) {
  let lastSearch: { readonly atMs: number; readonly found: Promise<readonly FoundServer[]> } | null = null;
  /** Returns servers that are at none of the connected addresses. */
  return async (connected: readonly string[]): Promise<readonly FoundServer[]> => {
    if (!lastSearch || now() - lastSearch.atMs > CACHE_MS)
      lastSearch = { atMs: now(), found: findLocalServers(ports, probeServer) };
    const connectedPorts = new Set(connected.map(portOf));
    return (await lastSearch.found).filter(({ baseUrl }) => !connectedPorts.has(portOf(baseUrl)));
  };
}
export type Finder = ReturnType<typeof createFinder>;
