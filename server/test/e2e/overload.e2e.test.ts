import { createServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { type House, openHouse } from '../support/house.ts';
import { chat, chatBody, CHAT, expectError, join, jsonOf, readStream, send } from '../support/http.ts';
import { answer, eventsOf, openStream, play, silence } from '../support/upstream.ts';

let house: House;
/** Takes chats and says nothing; its health check fails. */
let gone: HttpServer;
/** Ends the lines of its headers with line feeds alone. */
let bare: Server;
const sockets = new Set<Socket>();

const listen = (server: Server | HttpServer) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)),
  );

beforeAll(async () => {
  gone = createServer((request, response) => {
    if (request.method === 'GET') response.writeHead(503).end();
  });
  bare = createNetServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\ncontent-type: application/json\ncontent-length: 2\n\n{}'));
  });
  for (const server of [gone, bare])
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  const [goneUrl, bareUrl] = await Promise.all([listen(gone), listen(bare)]);
  house = await openHouse({
    config: ({ url }) => ({
      timeouts: { queue_ms: 400, first_token_ms: 1_000, whole_reply_ms: 3_000 },
      engines: {
        fake: { addresses: [url] },
        narrow: { addresses: [url], max_connections: 1 },
        gone: { addresses: [goneUrl] },
        bare: { addresses: [bareUrl] },
      },
    }),
    models: {
      narrow: { engines: [{ engine: 'narrow' }] },
      gone: { engines: [{ engine: 'gone' }] },
      bare: { engines: [{ engine: 'bare' }] },
    },
  });
});
afterAll(async () => {
  await house.close();
  for (const socket of sockets) socket.destroy();
  gone.close();
  bare.close();
});
beforeEach(() => house.upstream.reset());

/** Whether the service takes an engine for well. */
const isUp = async (engine: string) => {
  const figures = await (await fetch(`${house.base}/metrics`)).text();
  return figures.includes(`studio_engine_up{engine="${engine}"} 1`);
};

test('a call that a busy engine cannot take in time is told so, with a time to come again; the stream before it goes on', async () => {
  covers('overload.queue');
  const { upstream } = house;
  upstream.plays(silence);
  const arrived = upstream.next();
  const streaming = send(house, CHAT, { body: chatBody({ model: 'narrow', stream: true }) });
  const first = await arrived;
  const events = eventsOf(first, { text: ['하나', ' ', '둘'] });
  openStream(first).write(events.slice(0, 2).join(''));
  // It has waited for as long as it may; the next ones find out at once or wait as long.
  for (const reply of await Promise.all([1, 2, 3].map(() => chat(house, { model: 'narrow' })))) {
    expectError(reply, 503, {
      message: /^The model has as many requests as it can answer in time; try again in \d+ sec/,
    });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  first.response.end(events.slice(2).join(''));
  const { chunks, done } = await readStream(await streaming);
  expect(done).toBe(true);
  expect(join(chunks).content).toBe('하나 둘');
  expect(upstream.calls).toHaveLength(1);
  // Nothing of it counts against the engine, which is asked again at once.
  expect(await isUp('narrow')).toBe(true);
  upstream.plays(play({ text: '다시' }));
  expect(jsonOf(await chat(house, { model: 'narrow' })).choices[0]?.message.content).toBe('다시');
});

test('a call whose client leaves the line never reaches the engine', async () => {
  const { upstream } = house;
  upstream.plays(silence);
  const arrived = upstream.next();
  const first = chat(house, { model: 'narrow' });
  const running = await arrived;
  const leave = new AbortController();
  const waiting = send(house, CHAT, { body: chatBody({ model: 'narrow', user: 'gone' }), signal: leave.signal });
  leave.abort();
  await expect(waiting).rejects.toThrow();
  void play({ text: 'OK' })(running);
  expect((await first).status).toBe(200);
  upstream.plays(play({ text: 'OK' }));
  expect((await chat(house, { model: 'narrow', user: 'next' })).status).toBe(200);
  expect(upstream.calls.map(({ json }) => json['user'])).not.toContain('gone');
});

test('a reply that comes whole is waited for while its engine is there, for as long as whole_reply_ms says', async () => {
  covers('timeout.whole_reply');
  house.upstream.plays(silence);
  expectError(await chat(house), 504, { message: /3000 ms for an answer that comes whole \(whole_reply_ms\)/ });
});

test('a reply that comes whole ends after first_token_ms where the health check of its engine fails', async () => {
  covers('timeout.whole_reply');
  expectError(await chat(house, { model: 'gone' }), 504, { message: /\(first_token_ms\).*health check/ });
});

test('an engine that ends its header lines otherwise fails at once', async () => {
  // No time limit runs out: that would be a 504.
  expectError(await chat(house, { model: 'bare' }), 503, { message: /HTTP/ });
});

test('requests that an engine refuses as wrong are nothing against it, however many', async () => {
  covers('engine.refusals');
  const { upstream } = house;
  upstream.plays(answer(400, { error: { message: 'temperature is too hot', code: 400 } }));
  const replies = await Promise.all(Array.from({ length: 12 }, () => chat(house)));
  for (const reply of replies) expectError(reply, 400, { message: /too hot/ });
  expect(await isUp('fake')).toBe(true);
  upstream.plays(play({ text: 'OK' }));
  expect((await chat(house)).status).toBe(200);
});
