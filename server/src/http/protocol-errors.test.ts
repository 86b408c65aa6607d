import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { handleProtocolErrors, stripAuthority, checkHost, type RejectedRequest } from './protocol-errors.ts';

const refused: RejectedRequest[] = [];
let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  refused.length = 0;
});

async function serve(listener: RequestListener): Promise<number> {
  // A request has a tenth of a second to come.
  const limits = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 };
  const made = createServer({ ...limits, requireHostHeader: false }, (req, res) => {
    if (!checkHost(req, res, (one) => refused.push(one))) return;
    stripAuthority(req);
    listener(req, res);
  });
  server = made;
  handleProtocolErrors(made, (one) => refused.push(one));
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return (made.address() as AddressInfo).port;
}

/** What comes back until the connection ends. `then` is sent when something has come. */
const talk = (port: number, text: string, then = ''): Promise<string> =>
  new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (part: string) => {
      if (heard === '' && then !== '') socket.write(then);
      heard += part;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(heard));
  });

test.each([
  ['garbage', 'BREW / HTTP/1.1\r\n\r\n', 400, 'not valid HTTP'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'Host'],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 431, 'too large'],
  ['a body that does not come', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc', 408, 'in time'],
  ['headers that do not come', 'GET / HTTP/1.1\r\nHost: x\r\n', 408, 'in time'],
])('%s is refused in the form of all failures', async (_name, text, status, words) => {
  const port = await serve((req) => void req.resume());
  const heard = await talk(port, text);
  expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const body = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n') + 4)) as { error: { code: string; message: string } };
  expect(body.error.code).toBe(String(status));
  expect(body.error.message).toContain(words);
  expect(refused.map((one) => one.status)).toEqual([status]);
  expect(heard.toLowerCase()).toContain(`x-request-id: ${refused[0]?.requestId}`);
});

test('nothing is written into the middle of an answer', async () => {
  const port = await serve((_req, res) => void res.writeHead(200).write('the beginning'));
  const heard = await talk(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'GARBAGE\r\n\r\n');
  expect(heard).toContain('the beginning');
  expect(heard).not.toContain('400');
});

test.each([
  ['http://x/v1/models?a=b', '/v1/models?a=b'],
  ['HTTPS://x:8080/v1', '/v1'],
  ['http://x', '/'],
  ['http://x?a', '/?a'],
  ['/v1/http://x', '/v1/http://x'],
  ['*', '*'],
])('the target %s is %s', async (target, path) => {
  const port = await serve((req, res) => void res.end(`<${req.url ?? ''}>`));
  expect(await talk(port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toContain(`<${path}>`);
});

test('HTTP/1.0 needs no host', async () => {
  const port = await serve((_req, res) => void res.end('welcome'));
  expect(await talk(port, 'GET / HTTP/1.0\r\n\r\n')).toContain('welcome');
});
