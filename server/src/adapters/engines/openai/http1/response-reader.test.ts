import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LastHead } from './last-head.ts';
import { BadResponse, ResponseReader } from './response-reader.ts';

interface TranscriptionUsage {
  readonly responses: { status: number; headers: Record<string, unknown>; body: string; reusable: boolean | null }[];
}

/** Reads bytes in pieces, as many responses as are asked for. */
function read(
  bytes: Buffer,
  cuts: readonly number[],
  wanted = 1,
  ends = false,
  last = new LastHead(),
): TranscriptionUsage {
  const heard: TranscriptionUsage = { responses: [] };
  const latest = () => heard.responses.at(-1);
  const reader = new ResponseReader(
    {
      onHeaders: (status, headers) => void heard.responses.push({ status, headers, body: '', reusable: null }),
      onData(part, last) {
        const response = latest();
        if (!response) throw new Error('a body without a head');
        response.body += part.toString('latin1');
        if (last) expect(reader.idle).toBe(false);
      },
      onComplete(reusable) {
        const response = latest();
        if (response) response.reusable = reusable;
        if (heard.responses.length < wanted) reader.next();
      },
    },
    last,
  );
  reader.next();
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...at, bytes.length]) {
    if (to > from && !reader.idle) reader.push(bytes.subarray(from, to));
    from = to;
  }
  if (ends) reader.end();
  return heard;
}

const bodies = fc.string({ unit: 'binary-ascii', maxLength: 60 });
const cuts = fc.array(fc.nat(500), { maxLength: 12 });

function chunked(parts: readonly string[], extension: string, trailer: string): string {
  const chunks = parts
    .filter((part) => part !== '')
    .map((part) => `${part.length.toString(16)}${extension}\r\n${part}\r\n`);
  return `${chunks.join('')}0${extension}\r\n${trailer}\r\n`;
}

describe('a response', () => {
  it('of known length is the same wherever it is cut, after others that announce it', () => {
    fc.assert(
      fc.property(bodies, cuts, fc.boolean(), (body, at, early) => {
        const text = `${early ? 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n' : ''}HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\ncontent-length:  ${body.length} \r\n\r\n${body}`;
        expect(read(Buffer.from(text, 'latin1'), at).responses).toEqual([
          {
            status: 200,
            headers: { 'content-type': 'text/plain' },
            body,
            reusable: true,
          },
        ]);
      }),
    );
  });

  it('in chunks is the same wherever it is cut', () => {
    const extension = fc.constantFrom('', ';a=b', ' ; name="x"');
    const trailer = fc.constantFrom('', 'Expires: now\r\n', 'A: b\r\nC: d\r\n');
    fc.assert(
      fc.property(fc.array(bodies, { maxLength: 5 }), extension, trailer, cuts, (parts, ext, trail, at) => {
        const text = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(parts, ext, trail)}`;
        expect(read(Buffer.from(text, 'latin1'), at).responses).toMatchObject([
          { status: 200, body: parts.join(''), reusable: true },
        ]);
      }),
    );
  });

  it('without a length ends with its connection', () => {
    fc.assert(
      fc.property(bodies, cuts, (body, at) => {
        const heard = read(Buffer.from(`HTTP/1.0 200 OK\r\n\r\n${body}`, 'latin1'), at, 1, true);
        expect(heard.responses).toMatchObject([{ body, reusable: false }]);
      }),
    );
  });

  it.each([
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', true],
    ['304 with a length', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', true],
    ['an empty one', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', true],
    ['one that closes', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n', false],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
    [
      'one with both lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      false,
    ],
    ['one that says more than it should', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK', false],
  ])('%s is complete at once', (_name, text, reusable) => {
    expect(read(Buffer.from(text, 'latin1'), []).responses).toMatchObject([{ body: '', reusable }]);
  });

  it('joins headers that come twice', () => {
    const text = 'HTTP/1.1 200 OK\r\nA: 1\r\na: 2\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n';
    expect(read(Buffer.from(text), []).responses[0]?.headers).toEqual({ a: '1, 2' });
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nbroken\r\n\r\n'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nA : b\r\n\r\n'],
    ['a line feed alone', 'HTTP/1.1 200 OK\nA: b\r\n\r\n'],
    ['line feeds alone, without the end that is waited for', 'HTTP/1.1 200 OK\nA: b\nContent-Length: 0\n\n'],
    ['a line feed alone in a head that goes on', 'HTTP/1.1 200 OK\r\nA: b\n'],
    ['a return within a value', 'HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n'],
    ['an unknown coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n'],
    ['a chunk of a size beyond all', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n`],
    ['a chunk that is longer than its size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n'],
    ['headers without an end', `HTTP/1.1 200 OK\r\nA: ${'b'.repeat(70_000)}`],
  ])('%s is refused', (_name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(() => read(bytes, [])).toThrow(BadResponse);
    expect(() =>
      read(
        bytes,
        Array.from({ length: 200 }, (_, i) => i),
      ),
    ).toThrow(BadResponse);
  });

  it('of whatever bytes is read or refused, never anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), cuts, (noise, at) => {
        try {
          read(Buffer.from(`HTTP/1.1 200 OK\r\n${noise}`, 'latin1'), at);
        } catch (error) {
          expect(error).toBeInstanceOf(BadResponse);
        }
      }),
    );
  });
});

describe('a response after another of the same server', () => {
  const before =
    'HTTP/1.1 200 OK\r\nDate: Fri, 27 Nov 2026 00:00:00 GMT\r\nContent-Type: a/b\r\nContent-Length: 2\r\nX-A: 1\r\n\r\n';
  const known = () => {
    const last = new LastHead();
    const bytes = Buffer.from(`${before}ok`);
    read(bytes, [], 1, false, last);
    // Nothing is read of memory that is used again.
    bytes.fill(0);
    return last;
  };
  const outcome = (bytes: Buffer, last?: LastHead) => {
    try {
      return read(bytes, [], 1, false, last);
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('with the same head is known, however long its body is', () => {
    for (const body of ['x', 'x'.repeat(10), 'x'.repeat(12_345)]) {
      const bytes = Buffer.from(before.replace('Length: 2', `Length: ${body.length}`) + body);
      const last = known();
      expect(last.find(bytes, 0)).not.toBeNull();
      expect(last.contentLength).toBe(body.length);
      expect(read(bytes, [], 1, false, known())).toEqual(read(bytes, []));
    }
  });

  it('that was changed by chance is not read otherwise', () => {
    const pieces = [
      '\r\n',
      '\n',
      ' ',
      '0',
      '9',
      'Content-Length: 3\r\n',
      'content-length:3\r\n',
      'Connection: close\r\n',
    ];
    const change = fc.record({
      at: fc.nat(before.length + 2),
      cut: fc.integer({ min: 0, max: 3 }),
      put: fc.oneof(fc.constantFrom('', ...pieces), fc.string({ unit: 'binary-ascii', maxLength: 2 })),
    });
    let same = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), fc.nat(120), (changes, size) => {
        let text = before.replace('Length: 2', `Length: ${size}`) + 'x'.repeat(size);
        for (const { at, cut, put } of changes) text = text.slice(0, at) + put + text.slice(at + cut);
        const bytes = Buffer.from(text, 'latin1');
        if (known().find(bytes, 0)) same++;
        expect(outcome(bytes, known())).toEqual(outcome(bytes));
      }),
      { numRuns: 2_000 },
    );
    expect(same).toBeGreaterThan(50);
  });

  it.each([
    ['lengths that stand twice', before.replace('X-A: 1', 'Content-Length: 2')],
    ['a connection that is not used again', before.replace('X-A: 1', 'Connection: close')],
    ['HTTP/1.0', before.replace('HTTP/1.1', 'HTTP/1.0')],
  ])('of %s is never known', (_name, head) => {
    const bytes = Buffer.from(`${head}ok`);
    const last = new LastHead();
    expect(read(bytes, [], 1, false, last).responses).toMatchObject([{ body: 'ok' }]);
    expect(last.find(bytes, 0)).toBeNull();
  });
});
