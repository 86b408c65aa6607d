import { createServer } from 'node:http';
import { timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config/index.ts';

const sameText = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Serves GET /metrics on a port of its own. Resolves with a function that ends it. */
export async function openMetricsPort(
  { port, host, token }: Config['metrics'],
  metrics: { readonly contentType: string; render(): Promise<string> },
): Promise<() => Promise<void>> {
  if (port === undefined) return async () => undefined;
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'Content-Type': type }).end(text);
    if (request.url?.split('?')[0] !== '/metrics') return void answer(404, 'text/plain', 'GET /metrics\n');
    if (token !== undefined && !sameText(request.headers.authorization ?? '', `Bearer ${token}`))
      return void answer(401, 'text/plain', 'metrics.token is asked for\n');
    metrics.render().then(
      (text) => answer(200, metrics.contentType, text),
      () => answer(500, 'text/plain', 'the figures could not be gathered\n'),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}
