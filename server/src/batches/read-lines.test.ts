import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFile } from './check-lines.ts';
import { type FileLine, readLines } from './read-lines.ts';

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-lines-'));
  path = join(folder, 'input');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function linesOf(content: string | Buffer, maxBytes = 1_000_000): Promise<FileLine[]> {
  writeFileSync(path, content);
  const lines: FileLine[] = [];
  for await (const line of readLines(path, maxBytes)) lines.push(line);
  return lines;
}

test('any text is read as its lines that are not blank, with their numbers', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll('\n', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'), async (texts, end) => {
      const wanted = texts.flatMap((text, at) => (text.trim() === '' ? [] : [{ number: at + 1, text: text.trim() }]));
      expect(await linesOf(texts.join(end))).toEqual(wanted);
      expect(await linesOf(`${texts.join(end)}${end}`)).toEqual(wanted);
    }),
    { numRuns: 50 },
  );
});

test('lines across the pieces of a read are whole; those that are too long or no text are told as such', async () => {
  const long = 'x'.repeat(200_000);
  expect(await linesOf(`\ufeffone\n${long}\nthree`)).toEqual([
    { number: 1, text: 'one' },
    { number: 2, text: long },
    { number: 3, text: 'three' },
  ]);
  expect(await linesOf(`one\n${long}\nthree`, 100_000)).toEqual([
    { number: 1, text: 'one' },
    { number: 2, text: null },
    { number: 3, text: 'three' },
  ]);
  expect(await linesOf(Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('two')]))).toEqual([
    { number: 1, text: null },
    { number: 2, text: 'two' },
  ]);
});

const url = '/v1/chat/completions';
const check = (lines: readonly unknown[], maxLines = 100) => {
  writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return checkFile(path, url, { maxLines, maxLineBytes: 10_000 });
};
const line = (more: object = {}) => ({ custom_id: 'a', method: 'POST', url, body: { model: 'CORE-GOV' }, ...more });

test('what is wrong with a line is told with its number, and a good file with its lines and model', async () => {
  expect(await check([line(), '', line({ custom_id: 'b' })])).toEqual({ total: 2, model: 'CORE-GOV', errors: [] });
  const { errors } = await check([
    '{"custom_id":',
    '[]',
    line({ custom_id: undefined }),
    line({ method: 'GET' }),
    line({ url: '/v1/embeddings' }),
    line({ body: 'x' }),
    line({ body: { stream: true } }),
    line(),
    line(),
    line({ custom_id: 'y'.repeat(513) }),
  ]);
  expect(errors.map(({ line: at, code, param }) => [at, code, param])).toEqual([
    [1, 'invalid_json_line', null],
    [2, 'invalid_json_line', null],
    [3, 'missing_required_parameter', 'custom_id'],
    [4, 'invalid_method', 'method'],
    [5, 'mismatched_url', 'url'],
    [6, 'missing_required_parameter', 'body'],
    [7, 'invalid_request', 'body.stream'],
    [9, 'duplicate_custom_id', 'custom_id'],
    [10, 'invalid_custom_id', 'custom_id'],
  ]);
  expect(errors[7]?.message).toContain('line 8');
});

test('an empty file, too many lines, and more errors than anybody reads', async () => {
  expect((await check(['', ' '])).errors).toMatchObject([{ code: 'empty_file', line: null }]);
  const many = Array.from({ length: 6 }, (_, at) => line({ custom_id: String(at) }));
  expect((await check(many, 5)).errors).toMatchObject([{ code: 'too_many_lines', line: null }]);
  expect((await check(many, 6)).errors).toEqual([]);
  expect(
    (
      await check(
        Array.from({ length: 150 }, () => 'x'),
        1000,
      )
    ).errors,
  ).toHaveLength(100);
});
