import { hash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HttpExchange } from '../../http-kit/http-exchange.ts';
import { Client, converse, echo, HOT, request, startServer, type TestServer, withoutTimes } from './front.fixture.ts';

const BODY = '{"model":"m","messages":[]}';

const open: TestServer[] = [];
const start = async (...args: Parameters<typeof startServer>) => {
  const server = await startServer(...args);
  open.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Answers that are whole, by their lengths. */
const answersOf = (text: string): string[] => {
  const answers: string[] = [];
  for (let rest = text; rest !== '';) {
    const head = rest.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, head))?.[1] ?? Infinity);
    if (head < 0 || rest.length < head + 4 + length) break;
    answers.push(rest.slice(head + 4, head + 4 + length));
    rest = rest.slice(head + 4 + length);
  }
  return answers;
};
const bodiesOf = (text: string) => answersOf(text).map((one) => (JSON.parse(one) as { body: string }).body);

/**
 * Answers without the refusal of what follows the last of them and is no HTTP: node:http leaves it out or not, by how the bytes came to
 * it.
 */
const withoutNoise = (text: string): string =>
  text.replace(/(?<=.)HTTP\/1\.1 400 [^]*The request is not valid HTTP[^]*$/s, '');

/** Whether a refusal is all that came. */
const isBrokenOff = (text: string): boolean =>
  text.startsWith('HTTP/1.1 400 ') && text.includes('The request is not valid HTTP');
/** Whether more comes than one request and its body. */
const hasTail = (bytes: string): boolean => {
  const length = Number(/^content-length:[ \t]*(\d+)/im.exec(bytes)?.[1] ?? Infinity);
  return bytes.length > bytes.indexOf('\r\n\r\n') + 4 + length;
};
const withoutRefusal = (text: string): string =>
  text.replace(/HTTP\/1\.1 400 [^]*The request is not valid HTTP[^]*$/, '');

describe('beside node:http', () => {
  let front: TestServer;
  let node: TestServer;
  beforeEach(async () => {
    front = await start();
    node = await start({ hasFront: false });
  });

  /** What node:http answers where each request that the front serves is sent alone, and then the rest. */
  async function answerOfNode(bytes: string, served: readonly HttpExchange[]): Promise<string> {
    let rest = bytes;
    let text = '';
    for (const { headers } of served) {
      const end = rest.indexOf('\r\n\r\n') + 4 + Number(headers['content-length']);
      text += await converse(node.port, rest.slice(0, end));
      rest = rest.slice(end);
    }
    return rest === '' ? text : text + (await converse(node.port, rest));
  }

  /** Sends the same to both. Returns how many requests the front served itself. */
  async function compare(bytes: string): Promise<number> {
    const given = await converse(front.port, bytes, () => (front.served.length = 0));
    const served = [...front.served];
    const expected = await answerOfNode(bytes, served);
    if (isBrokenOff(given) !== isBrokenOff(expected) && hasTail(bytes)) {
      // What comes behind a request is no HTTP: node:http answers the request before it says so, or not.
      const [short = '', long = ''] = [given, expected].map(withoutRefusal).toSorted((a, b) => a.length - b.length);
      expect(long.startsWith(short), JSON.stringify({ bytes, given, expected })).toBe(true);
      expect(answersOf(given).length).toBeGreaterThanOrEqual(served.length);
    } else expect(withoutNoise(given), JSON.stringify(bytes)).toBe(withoutNoise(expected));
    return served.length;
  }

  test.each([
    ['a plain request', request(BODY), 1],
    ['names in any case', request(BODY).replace('Content-Type', 'cONTENT-tYPE').replace('Host', 'HOST'), 1],
    ['a connection that is to be kept', request(BODY, ['Connection: Keep-Alive']), 1],
    ['several at once', request(BODY) + request('{"a":1}') + request('[]'), 3],
    ['a plain one before another route', `${request(BODY)}GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`, 1],
    ['a body that is not whole', request(BODY).slice(0, -5), 1],
    ['a type that is no JSON', request(BODY).replace('application/json', 'text/plain'), 1],
    ['a body that is too large', request(BODY).replace(/Content-Length: \d+/, 'Content-Length: 1000001'), 1],
    ['words in a name of the prototype', request(BODY, ['constructor: 1', 'hasOwnProperty: 2']), 1],
  ])('%s is served, and answered alike', async (_name, bytes, served) => {
    if (!bytes.includes(BODY.slice(0, -5))) throw new Error('no body');
    expect(await compare(bytes)).toBe(served);
  });

  const withLength = (line: string) => request(BODY).replace(/Content-Length: \d+/, line);
  const chunked = `${request('').replace('Content-Length: 0', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`;
  test.each([
    ['another route', request(BODY, [], '/v1/embeddings')],
    ['another method', request(BODY).replace('POST', 'PUT')],
    ['a query', request(BODY, [], `${HOT}?a=1`)],
    ['an escaped path', request(BODY, [], HOT.replace('chat', 'ch%61t'))],
    ['a whole address', request(BODY, [], `http://studio:8080${HOT}`)],
    ['HTTP/1.0', request(BODY).replace('HTTP/1.1', 'HTTP/1.0')],
    ['HTTP/1.0 that is to be kept', request(BODY, ['Connection: keep-alive']).replace('HTTP/1.1', 'HTTP/1.0')],
    ['an unknown version', request(BODY).replace('HTTP/1.1', 'HTTP/1.2')],
    ['a method in small letters', request(BODY).replace('POST', 'post')],
    ['two spaces before the path', request(BODY).replace('POST ', 'POST  ')],
    ['a tab before the path', request(BODY).replace('POST ', 'POST\t')],
    ['an empty line first', `\r\n${request(BODY)}`],
    ['chunks', chunked],
    ['chunks and a length', chunked.replace('Transfer-Encoding', 'Content-Length: 5\r\nTransfer-Encoding')],
    ['a coding that is not known', withLength('Transfer-Encoding: gzip')],
    ['chunks in odd letters', chunked.replace('Transfer-Encoding: chunked', 'transfer-ENCODING:  Chunked ')],
    ['chunks behind a tab', chunked.replace('Transfer-Encoding: chunked', 'Transfer-Encoding:\tchunked')],
    ['a space before the colon', withLength(`Content-Length : ${BODY.length}`)],
    ['a name with a space', request(BODY, ['X Y: 1'])],
    ['a name with an underscore', request(BODY, ['__proto__: 1'])],
    ['a folded line', request(BODY, ['X-Long: a', ' b'])],
    ['a folded length', withLength(`Content-Length:\r\n ${BODY.length}`)],
    ['no colon', request(BODY, ['X-Nothing'])],
    ['no space behind the colon', request(BODY, ['X-Tight:1'])],
    ['no value', request(BODY, ['X-Empty: '])],
    ['spaces around a value', request(BODY, ['X-Wide:    1   '])],
    ['two equal lengths', withLength(`Content-Length: ${BODY.length}\r\nContent-Length: ${BODY.length}`)],
    ['two lengths', withLength(`Content-Length: ${BODY.length}\r\ncontent-length: 1`)],
    ['a list of lengths', withLength(`Content-Length: ${BODY.length}, ${BODY.length}`)],
    ['a length with a sign', withLength(`Content-Length: +${BODY.length}`)],
    ['a length with zeros before it', withLength(`Content-Length: 00${BODY.length}`)],
    ['a length in hexadecimal', withLength('Content-Length: 0x1b')],
    ['a length beyond numbers', withLength('Content-Length: 99999999999999999999')],
    ['a length below zero', withLength('Content-Length: -1')],
    ['a length of zero', withLength('Content-Length: 0')],
    ['no length', withLength('X-None: 1')],
    ['no host', request(BODY).replace('Host: studio:8080\r\n', '')],
    ['two hosts', request(BODY, ['Host: another'])],
    ['a header twice', request(BODY, ['X-Twice: 1', 'x-twice: 2'])],
    ['an expectation', request(BODY, ['Expect: a-miracle'])],
    ['a wish to change the protocol', request(BODY, ['Connection: Upgrade', 'Upgrade: websocket'])],
    ['a connection that is to be closed', request(BODY, ['Connection: close'])],
    ['a connection with a list', request(BODY, ['Connection: keep-alive, close'])],
    ['a word for proxies', request(BODY, ['Proxy-Connection: close'])],
    ['a trailer', request(BODY, ['Trailer: X-After'])],
    ['a bare line feed', request(BODY).replace('\r\nContent-Type', '\nContent-Type')],
    ['bare line feeds alone', request(BODY).replaceAll('\r\n', '\n')],
    ['a bare carriage return', request(BODY, ['X-Cut: a\rb'])],
    ['a zero byte', request(BODY, ['X-Zero: a\0b'])],
    ['a control character', request(BODY, ['X-Bell: a\x07b'])],
    ['bytes beyond ASCII', request(BODY, ['X-High: caf\xe9'])],
    ['a value that is too long', request(BODY, [`X-Long: ${'a'.repeat(20_000)}`])],
    ['a value that is long', request(BODY, [`X-Long: ${'a'.repeat(10_000)}`])],
    [
      'very many headers',
      request(
        BODY,
        Array.from({ length: 100 }, (_, at) => `X-${at}: 1`),
      ),
    ],
    ['a head that does not end', request(BODY).slice(0, 60)],
    ['something else', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('%s is for node:http, which answers as ever', async (_name, bytes) => {
    expect(await compare(bytes)).toBe(0);
    // Also where the connection was the front's before.
    expect(await compare(request(BODY) + bytes)).toBe(1);
  });

  test('a head that was changed by chance is read as node:http reads it', async () => {
    const plain = request(BODY, ['X-Request-Id: abcdefgh', 'User-Agent: a client/1.0', 'Connection: keep-alive']);
    const headEnd = plain.indexOf('\r\n\r\n') + 4;
    const pieces = [
      '\r\n',
      '\n',
      '\r',
      ' ',
      '\t',
      ':',
      ',',
      '\0',
      '0',
      '9',
      'Content-Length: 3\r\n',
      '\x80',
      'chunked',
    ];
    const change = fc.record({
      at: fc.nat(headEnd),
      cut: fc.integer({ min: 0, max: 3 }),
      put: fc.oneof(fc.constantFrom('', ...pieces, 'Transfer-Encoding: chunked\r\n'), fc.string({ maxLength: 2 })),
    });
    let served = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
        let bytes = plain;
        for (const { at, cut, put } of changes) bytes = bytes.slice(0, at) + put + bytes.slice(at + cut);
        served += await compare(Buffer.from(bytes, 'latin1').toString('latin1'));
      }),
      { numRuns: 1_000 },
    );
    expect(served).toBeGreaterThan(50);
    expect(served).toBeLessThan(1_000);
  });

  test('a request that comes in two parts, cut anywhere, is answered alike', async () => {
    const bytes = request(BODY, ['X-Request-Id: abcdefgh']);
    const whole = await converse(node.port, bytes);
    await Promise.all(
      Array.from({ length: bytes.length - 1 }, async (_, at) => {
        const client = new Client(front.port);
        client.send(bytes.slice(0, at + 1));
        await expect.poll(() => front.sockets.get(client.socket.localPort ?? -1)?.bytesRead).toBe(at + 1);
        client.send(bytes.slice(at + 1));
        await expect.poll(() => withoutTimes(client.text)).toBe(whole);
        client.socket.destroy();
      }),
    );
  });
});

describe('a connection', () => {
  test('serves one request after the other, and goes on with node:http for good', async () => {
    const server = await start();
    const client = new Client(server.port);
    for (const count of [1, 2, 3]) {
      client.send(request(`[${count}]`));
      await expect.poll(() => bodiesOf(client.text)).toHaveLength(count);
    }
    expect(server.served).toHaveLength(3);
    client.text = '';
    client.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => answersOf(client.text)).toEqual(['GET /livez']);
    client.text = '';
    client.send(request('[4]'));
    await expect.poll(() => bodiesOf(client.text)).toEqual(['[4]']);
    expect(server.served).toHaveLength(3);
  });

  test('answers in order what is sent ahead, each after the one before', async () => {
    let running = 0;
    let most = 0;
    const server = await start({
      handler(exchange) {
        most = Math.max(most, (running += 1));
        setImmediate(() => {
          running -= 1;
          echo(exchange);
        });
      },
    });
    const client = new Client(server.port);
    const bodies = Array.from({ length: 20 }, (_, at) => JSON.stringify('x'.repeat(at * 1_000)));
    client.send(bodies.map((body) => request(body)).join(''));
    await expect.poll(() => bodiesOf(client.text)).toEqual(bodies);
    expect(most).toBe(1);
    expect(server.served).toHaveLength(20);
  });

  test('answers hundreds of requests that come at once, each of them at once', async () => {
    const server = await start();
    const client = new Client(server.port);
    const bodies = Array.from({ length: 1_500 }, (_, at) => `${at}`);
    const short = (body: string) => `POST ${HOT} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    client.send(bodies.map(short).join(''));
    await expect.poll(() => answersOf(client.text)).toHaveLength(bodies.length);
    expect(bodiesOf(client.text)).toEqual(bodies);
    // One whose head comes in two reads is for node:http, with all that follow.
    expect(server.served.length).toBeGreaterThan(100);
  });

  test('takes large bodies in pieces, and no more than a little while nobody reads them', async () => {
    const waiting: HttpExchange[] = [];
    const server = await start({ handler: (exchange) => void waiting.push(exchange) });
    const client = new Client(server.port);
    const body = JSON.stringify('y'.repeat(900_000));
    client.send(request(body));
    await expect.poll(() => server.sockets.get(client.socket.localPort ?? -1)?.isPaused()).toBe(true);
    const [exchange] = waiting;
    if (!exchange) throw new Error('no exchange');
    expect(exchange.isComplete).toBe(false);
    echo(exchange);
    await expect.poll(() => bodiesOf(client.text)).toEqual([body]);
  });

  test('reads each request by itself, however often the same head came before', async () => {
    const server = await start();
    const client = new Client(server.port);
    const sent = ['', 'A', 'A', 'A', 'B', 'B', 'A', ''].map((id, at) => ({ id, body: JSON.stringify('x'.repeat(at)) }));
    for (const [at, { id, body }] of sent.entries()) {
      client.send(request(body, id === '' ? [] : [`X-Request-Id: ${id.repeat(8)}`]));
      await expect.poll(() => answersOf(client.text)).toHaveLength(at + 1);
    }
    const seen = answersOf(client.text).map(
      (one) => JSON.parse(one) as { body: string; headers: Record<string, string | undefined> },
    );
    expect(seen.map(({ body }) => body)).toEqual(sent.map(({ body }) => body));
    expect(seen.map(({ headers }) => headers['content-length'])).toEqual(sent.map(({ body }) => String(body.length)));
    expect(seen.map(({ headers }) => (headers['x-request-id'] ?? '').slice(0, 1))).toEqual(sent.map(({ id }) => id));
    expect(server.served).toHaveLength(sent.length);
  });

  test('discards the body of a refused request, and can be used again', async () => {
    const server = await start({
      handler(exchange) {
        if (exchange.headers['x-refuse'] === undefined) return echo(exchange);
        exchange.discardBody();
        exchange.reply(401, ['Content-Length', '2'], 'no');
      },
    });
    const client = new Client(server.port);
    const bytes = request(JSON.stringify('z'.repeat(500_000)), ['X-Refuse: 1']);
    client.send(bytes.slice(0, 1_000));
    await expect.poll(() => answersOf(client.text)).toEqual(['no']);
    client.text = '';
    client.send(bytes.slice(1_000) + request('[1]'));
    await expect.poll(() => bodiesOf(client.text)).toEqual(['[1]']);
    expect(server.served).toHaveLength(2);
  });

  test('gives each large body whole to its own request, however they come, and nothing to who holds one that was released', async () => {
    const held: Buffer[] = [];
    const server = await start({
      handler(exchange) {
        exchange.listen({ closed: () => undefined, drained: () => undefined });
        void Promise.resolve(exchange.readBody(1_000_000)).then((bytes) => {
          const digest = hash('sha256', bytes);
          exchange.reply(200, ['Content-Length', String(digest.length)], digest);
          exchange.releaseBody();
          exchange.releaseBody();
          held.push(bytes);
        });
      },
    });
    const clients = Array.from({ length: 4 }, (_, i) => {
      const bodies = [70_000, 300_000, 20_000, 150_000, 64, 90_000].map((length) => `${i}`.repeat(length + 1_000 * i));
      const client = new Client(server.port);
      // Some ahead of the answers, some in pieces.
      for (const body of bodies) {
        const bytes = request(body);
        for (let at = 0; at < bytes.length; at += 50_000) client.send(bytes.slice(at, at + 50_000));
      }
      return { client, expected: bodies.map((body) => hash('sha256', body)) };
    });
    for (const { client, expected } of clients)
      await expect.poll(() => answersOf(client.text), { timeout: 10_000 }).toEqual(expected);
    expect(server.served).toHaveLength(24);
    // Bodies that came in several reads are held by nobody any more.
    expect(held.filter(({ length }) => length > 64_000 + 1_000)).toEqual([]);
  });

  test('is closed by more of a refused body than anybody discards', async () => {
    const server = await start({
      handler(exchange) {
        exchange.discardBody();
        exchange.reply(401, ['Content-Length', '2'], 'no');
      },
    });
    const client = new Client(server.port);
    client.send(request('z'.repeat(20_000_000)));
    await expect.poll(() => client.isClosed).toBe(true);
  });

  test('that goes away in the middle of a body, or before the reply, is told of', async () => {
    const seen: string[] = [];
    const server = await start({
      handler(exchange) {
        exchange.listen({ closed: () => seen.push(`closed ${exchange.isFinished}`), drained: () => undefined });
        const read = exchange.readBody(1_000);
        if (read instanceof Promise) read.catch(({ code }: { code: string }) => seen.push(code));
        else seen.push('read');
      },
    });
    const inBody = new Client(server.port);
    inBody.send(request(BODY).slice(0, -3));
    await expect.poll(() => server.served).toHaveLength(1);
    inBody.socket.destroy();
    await expect.poll(() => seen.toSorted()).toEqual(['client_closed', 'closed false']);
    const waiting = new Client(server.port);
    waiting.send(request(BODY));
    await expect.poll(() => seen).toContain('read');
    // The client says that it sends no more: as node:http, this ends its requests.
    waiting.socket.end();
    await expect.poll(() => seen).toHaveLength(4);
    expect(seen.at(-1)).toBe('closed false');
  });

  test('streams pieces, waits for a client that does not read, and tells of the end', async () => {
    const PIECES = 300;
    const piece = 'p'.repeat(100_000);
    let waits = 0;
    const seen: string[] = [];
    const server = await start({
      handler(exchange) {
        let sent = 0;
        const pump = () => {
          while (sent < PIECES) {
            sent += 1;
            if (!exchange.write(piece)) return void (waits += 1);
          }
          if (!exchange.isEnded) exchange.end();
        };
        exchange.listen({ closed: () => seen.push(`closed ${exchange.isFinished}`), drained: pump });
        exchange.openStream(200, ['Content-Type', 'text/event-stream']);
        pump();
      },
    });
    const client = new Client(server.port);
    client.socket.pause();
    client.send(request(BODY));
    await expect.poll(() => waits).toBeGreaterThan(0);
    expect(seen).toEqual([]);
    client.socket.resume();
    await expect.poll(() => client.text.endsWith('0\r\n\r\n')).toBe(true);
    const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
    expect(client.text.slice(client.text.indexOf('\r\n\r\n') + 4)).toBe(`${chunk.repeat(PIECES)}0\r\n\r\n`);
    await expect.poll(() => seen).toEqual(['closed true']);
    expect(client.isClosed).toBe(false);
  });

  test.each([true, false])('of a stream that fails ends with it (front: %s)', async (hasFront) => {
    const server = await start({
      hasFront,
      handler(exchange) {
        exchange.listen({ closed: () => undefined, drained: () => undefined });
        exchange.openStream(200, ['Content-Type', 'text/event-stream']);
        exchange.write('data: an error\n\n');
        exchange.endConnection();
      },
    });
    const client = new Client(server.port);
    client.send(request(BODY));
    await expect.poll(() => client.isClosed).toBe(true);
    expect(withoutTimes(client.text)).toBe(
      'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nDate\r\nConnection: keep-alive\r\nKeep-Alive: timeout=60\r\n' +
        'Transfer-Encoding: chunked\r\n\r\n10\r\ndata: an error\n\n\r\n0\r\n\r\n',
    );
  });

  test('refuses to send a header that would end its line', async () => {
    const failures: unknown[] = [];
    const server = await start({
      handler(exchange) {
        try {
          exchange.reply(200, ['X-Bad', 'a\r\nX-Other: b'], '');
        } catch (error) {
          failures.push(error);
          exchange.reply(500, ['Content-Length', '0'], '');
        }
      },
    });
    const client = new Client(server.port);
    client.send(request(BODY));
    await expect.poll(() => client.text).toContain('HTTP/1.1 500');
    expect(failures).toEqual([expect.any(TypeError)]);
  });
});

describe('limits of time', () => {
  test.each([
    ['a connection that says nothing', '', /^HTTP\/1\.1 408 /],
    ['a head that does not come whole', request(BODY).slice(0, 50), /^HTTP\/1\.1 408 /],
    ['a body that does not come', request(BODY).slice(0, -2), /^HTTP\/1\.1 408 /],
    ['a connection without a next request', request(BODY), /^HTTP\/1\.1 200 [^]*"body"[^]*\}$/],
  ])('%s is ended', async (_name, bytes, expected) => {
    const server = await start({ timeoutMs: 100 });
    const client = new Client(server.port);
    if (bytes !== '') client.send(bytes);
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.text).toMatch(expected);
  });

  test('a body that stops after the reply began is cut off', async () => {
    const server = await start({
      timeoutMs: 100,
      handler: (exchange) => exchange.openStream(200, ['Content-Type', 'text/event-stream']),
    });
    const client = new Client(server.port);
    client.send(request(BODY).slice(0, -2));
    await expect.poll(() => client.isClosed).toBe(true);
    expect(client.text).toMatch(/chunked\r\n\r\n$/);
  });
});

describe('a stop', () => {
  test('closes connections that nothing is asked on, and lets the others finish', async () => {
    const waiting: HttpExchange[] = [];
    const server = await start({
      handler: (exchange) => (exchange.headers['x-wait'] === undefined ? echo(exchange) : void waiting.push(exchange)),
    });
    const idle = new Client(server.port);
    idle.send(request(BODY));
    const busy = new Client(server.port);
    busy.send(request(BODY, ['X-Wait: 1']));
    await expect.poll(() => bodiesOf(idle.text)).toHaveLength(1);
    await expect.poll(() => waiting).toHaveLength(1);
    server.draining = true;
    server.front?.closeIdle();
    await expect.poll(() => idle.isClosed).toBe(true);
    expect(busy.isClosed).toBe(false);
    for (const exchange of waiting) echo(exchange);
    await expect.poll(() => busy.isClosed).toBe(true);
    expect(busy.text).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n/);
    expect(busy.text).not.toContain('Keep-Alive');
    expect(bodiesOf(busy.text)).toEqual([BODY]);
  });
});
