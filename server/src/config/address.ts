import type { Config } from './schema.ts';

/** Address that clients on this machine reach the service at. */
export function addressOf({ server }: Config, port: number = server.port): string {
  if (server.public_url !== undefined) return server.public_url.replace(/\/+$/, '');
  const everywhere = server.host === '0.0.0.0' || server.host === '::';
  const host = everywhere ? '127.0.0.1' : server.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
