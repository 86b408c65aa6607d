import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linesOf, parseLine } from './lines.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(content: string | Buffer) {
  const path = join(folder, 'lines');
  writeFileSync(path, content);
  const found = [];
  for await (const one of linesOf(path)) found.push(one);
  return found;
}

test('lines have their numbers, blank ones too; ends may be CRLF, and the last one needs none', async () => {
  expect(await read('\uFEFF{"a":1}\r\n\r\n  \n{"b":2}\n{"c":3}')).toEqual([
    { line: 1, text: '{"a":1}' },
    { line: 4, text: '{"b":2}' },
    { line: 5, text: '{"c":3}' },
  ]);
  expect(await read('')).toEqual([]);
});

test('they are the same wherever the pieces of the file end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 20 }), async (texts) => {
      const lines = texts.map((text) => JSON.stringify({ text: text.repeat(3_000) }));
      expect(await read(lines.join('\n'))).toEqual(lines.map((text, at) => ({ line: at + 1, text })));
    }),
    { numRuns: 15 },
  );
});

test('a line that is longer than any may be is told as such, and those after it are read', async () => {
  const found = await read(Buffer.concat([Buffer.alloc(7_000_000, 'x'), Buffer.from('\n{"text":"a"}\n')]));
  expect(found).toEqual([
    { line: 1, error: expect.objectContaining({ message: 'The line is too long' }) as unknown },
    { line: 2, text: '{"text":"a"}' },
  ]);
});

test('a line of another charset is refused, those beside it are read; a mark of UTF-8 may stand before any', async () => {
  const cp949 = Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]);
  expect(await read(Buffer.concat([cp949, Buffer.from('\n\uFEFF{"text":"한글"}\n')]))).toEqual([
    { line: 1, error: expect.objectContaining({ message: 'The line is not valid UTF-8' }) as unknown },
    { line: 2, text: '{"text":"한글"}' },
  ]);
});

describe('a line', () => {
  test('is a text with its name, its own id and facts', () => {
    const whole = { text: '가', name: 'a.md', external_id: 'e', metadata: { year: 2026 } };
    expect(parseLine(JSON.stringify(whole))).toEqual(whole);
    expect(parseLine('{"content":"가"}')).toEqual({ content: '가' });
  });

  test.each([
    ['not json', /no JSON/, 'line'],
    ['[1]', /object/, 'line'],
    ['{}', /text is required/, 'text'],
    ['{"text":" "}', /blank/, 'text'],
    ['{"text":"a","content":"a"}', /one of them/, 'content'],
    ['{"txt":"a"}', /did you mean text/, 'txt'],
    ['{"text":"a","metadata":[]}', /metadata/, 'metadata'],
    // Not without its access list.
    ['{"text":"a","allow":["hr"]}', /access lists/, 'allow'],
  ])('%s is refused in words', (line, message, param) => {
    expect(() => parseLine(line)).toThrow(message);
    let thrown: unknown;
    try {
      parseLine(line);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'invalid_request', param });
  });
});
