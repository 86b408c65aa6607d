import { readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Connections, createConnections } from './connections.ts';

// The certificate of the tests is for localhost, and signed by itself.
const pem = (name: string) =>
  readFileSync(new URL(`../../../../test/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

let server: Server;
let port = 0;
let handshakes = 0;
const trusted = getCACertificates('default');
beforeAll(async () => {
  server = createServer({ cert: pem('cert'), key: pem('key') }, (request, response) => {
    let size = 0;
    request.on('data', (part: Buffer) => (size += part.length));
    request.on('end', () => {
      response.write('read ');
      response.end(String(size));
    });
  });
  server.on('secureConnection', () => handshakes++);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open = (host: string): Connections =>
  createConnections({
    origin: `https://${host}:${port}`,
    socketPath: null,
    connectTimeoutMs: 2_000,
    maxConnections: 4,
    maxWaiting: 4,
    maxWaitMs: Infinity,
    keepAliveMs: 2_000,
  });

const ask = (connections: Connections, body: string) =>
  new Promise<string>((resolve, reject) => {
    let text = '';
    connections.send({ method: 'POST', path: '/', headers: {} }, body, {
      onHeaders: () => undefined,
      onData: (bytes) => (text += bytes.toString('latin1')),
      onEnd: () => resolve(text),
      onError: reject,
    });
  });

it('a trusted server is spoken to, on one connection for several exchanges', async () => {
  setDefaultCACertificates([...trusted, pem('cert')]);
  const connections = open('localhost');
  const before = handshakes;
  expect(await ask(connections, 'abc')).toBe('read 3');
  expect(await ask(connections, 'x'.repeat(300_000))).toBe('read 300000');
  expect(handshakes - before).toBe(1);
  await connections.close();
});

it('a server of another name is not', async () => {
  setDefaultCACertificates([...trusted, pem('cert')]);
  const connections = open('127.0.0.1');
  await expect(ask(connections, 'abc')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  await connections.close();
});

it('a server that nobody vouches for is not', async () => {
  setDefaultCACertificates(trusted);
  const connections = open('localhost');
  await expect(ask(connections, 'abc')).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  await connections.close();
});
