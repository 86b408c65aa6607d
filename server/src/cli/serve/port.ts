import { createServer } from 'node:net';
import { StudioError } from '../../kernel/errors.ts';

/**
 * Whether the system deals the connections of one port among the processes that listen on it. What it has dealt to a process that is
 * killed it resets; a connection that the primary hands over to one that is killed before it took it would wait for ever.
 */
const DEALS_CONNECTIONS = process.platform === 'linux';

/** The address that the workers are to share: its port, where 0 was asked for one that is free. Throws StudioError `unavailable` where it is in use. */
function freePort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(new StudioError('unavailable', error.message, { cause: error })));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

/** The port on which each worker listens by itself; null where the primary listens for all. Throws as `freePort`. */
export const portOfWorkers = (host: string, port: number): Promise<number | null> =>
  DEALS_CONNECTIONS ? freePort(host, port) : Promise.resolve(null);
