import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { base64Length, isBase64Text } from './base64.ts';

const plain = { alphabet: 'plain', spaced: false } as const;
const both = { alphabet: 'both', spaced: true } as const;

test.each([
  ['', 0],
  ['QUJD', 4],
  ['QUI=', 3],
  ['QQ==', 2],
  ['Q===', null],
  ['QU=D', null],
  ['QU_-', null],
  ['QU JD', null],
  ['QUJD\n', null],
  ['=', 0],
])('%j has %j characters before its padding', (text, length) => {
  expect(base64Length(text, plain)).toBe(length);
});

test.each(['QU_-', 'QU\nJD\r\n', 'QQ= =\n', ' QUJD'])('%j is base64 with white space, of either alphabet', (text) => {
  expect(isBase64Text(text, both)).toBe(true);
});

test('a long text is looked at where many expressions were compiled, too', async () => {
  // V8 makes plainer code of expressions once there are 16 MB of it; in a thread of its own, as that does not end.
  const program = `
    for (let i = 0; i < 30000; i++) {
      const one = new RegExp('(?:a' + i + '|b' + i + '|[a-z]{3}\\\\d+x' + i + '){1,40}(foo|bar' + i + ')+');
      for (const text of ['x'.repeat(2000) + 'a' + i, 'a' + i + 'fo', 'b' + i]) one.test(text);
    }
    const { parentPort, workerData } = require('node:worker_threads');
    const long = 'A'.repeat(24_000_000);
    let fails = false;
    try { /^[\\w+/]+={0,2}$/.test(long); } catch { fails = true; }
    import(workerData).then(({ base64Length }) =>
      parentPort.postMessage([fails, base64Length(long + '=', { alphabet: 'plain', spaced: false })]));`;
  const worker = new Worker(program, { eval: true, workerData: new URL('./base64.ts', import.meta.url).href });
  const [answer] = (await once(worker, 'message')) as [unknown];
  await worker.terminate();
  expect(answer).toEqual([true, 24_000_000]);
});
