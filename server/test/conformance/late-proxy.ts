import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that is kept on its way. */
interface Kept {
  /** Resolves once it has come. */
  readonly kept: Promise<void>;
  /** Lets it go on, also to another path than it asked for. */
  readonly release: (path?: string) => void;
  /** Resolves once the server has answered it. */
  readonly answered: Promise<void>;
}

/** A proxy before a server of HTTP that keeps the requests that it is told to: what happens meanwhile overtakes them. */
export interface LateProxy {
  readonly url: string;
  /** Keeps the next request of a path that nobody waits for yet; with `nth` the second, third and so on. */
  keepNext(method: string, path: string, nth?: number): Kept;
  close(): Promise<void>;
}

export async function startLateProxy(target: string): Promise<LateProxy> {
  const waiting: { method: string; path: string; left: number; go: () => Promise<string>; answered: () => void }[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const body = await text(request);
    const wanted = waiting.find((one) => one.method === method && one.path === url.split('?')[0]);
    const isKept = wanted !== undefined && --wanted.left === 0;
    if (isKept) waiting.splice(waiting.indexOf(wanted), 1);
    const path = (isKept ? await wanted.go() : '') || url;
    const { 'content-type': type } = request.headers;
    const reply = await fetch(target + path, {
      method,
      headers: type === undefined ? {} : { 'content-type': type },
      ...(body === '' ? {} : { body }),
    });
    const sent = await reply.text();
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(sent);
    if (isKept) wanted.answered();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keepNext(method, path, nth = 1) {
      const [came, released, answered] = [
        Promise.withResolvers<void>(),
        Promise.withResolvers<string>(),
        Promise.withResolvers<void>(),
      ];
      waiting.push({
        method,
        path,
        left: nth,
        go: () => {
          came.resolve();
          return released.promise;
        },
        answered: () => answered.resolve(),
      });
      return { kept: came.promise, release: (other = '') => released.resolve(other), answered: answered.promise };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
