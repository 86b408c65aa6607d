/**
 * The baseline: the least a gateway in Node can do with node:http and undici's `dispatch`. No key check, no look at
 * the body, no log. Arguments: port, address of the engine.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';

const [port = '0', engine = ''] = process.argv.slice(2);
const pool = new Pool(engine, { connections: null, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });

function forward(req: IncomingMessage, res: ServerResponse, body: Buffer): void {
  let upstream: Dispatcher.DispatchController | undefined;
  res.on('close', () => {
    if (!res.writableFinished) upstream?.abort(new Error('client gone'));
  });
  res.on('drain', () => upstream?.resume());
  pool.dispatch(
    {
      method: 'POST',
      path: req.url ?? '/',
      headers: {
        'content-type': 'application/json',
        'content-length': String(body.length),
        authorization: req.headers.authorization ?? '',
      },
      body,
    },
    {
      onRequestStart(controller) {
        upstream = controller;
      },
      onResponseStart(_controller, status, headers) {
        const sent: Record<string, string> = { 'content-type': String(headers['content-type']) };
        if (headers['content-length']) sent['content-length'] = String(headers['content-length']);
        res.writeHead(status, sent);
      },
      onResponseData(controller, chunk) {
        if (!res.write(chunk)) controller.pause();
      },
      onResponseEnd() {
        res.end();
      },
      onResponseError() {
        if (res.headersSent) res.destroy();
        else res.writeHead(502).end();
      },
    },
  );
}

const server = createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on('data', (part: Buffer) => parts.push(part));
  req.on('end', () => forward(req, res, parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
});
server.listen({ port: Number(port), host: '127.0.0.1', backlog: 4096 });
