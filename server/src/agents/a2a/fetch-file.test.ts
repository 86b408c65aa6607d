import { expect, test } from 'vitest';
import { FetchRefused } from '../../net-guard/index.ts';
import { A2aError } from './errors.ts';
import { createFetchFile } from './fetch-file.ts';

const signal = new AbortController().signal;

test('a file of an address may be as large as an upload, and never larger than what is held in memory', async () => {
  const asked: number[] = [];
  const fetched = { bytes: Buffer.from('x'), type: 'text/plain' };
  const fetch = (_url: string, { maxBytes }: { readonly maxBytes: number }) => {
    asked.push(maxBytes);
    return Promise.resolve(fetched);
  };
  expect(await createFetchFile(fetch, 10)('https://a/b', signal)).toBe(fetched);
  await createFetchFile(fetch, 1e12)('https://a/b', signal);
  expect(asked).toEqual([10, 32 * 1024 * 1024]);
});

test('a refusal is a wrong parameter of the call; anything else stays as it is', async () => {
  const refused = createFetchFile(() => Promise.reject(new FetchRefused('it is not there')), 10)('https://a/b', signal);
  await expect(refused).rejects.toThrow(A2aError);
  await expect(refused).rejects.toThrow(/params\.message\.parts.*it is not there/);
  await expect(createFetchFile(() => Promise.reject(new TypeError('bug')), 10)('https://a/b', signal)).rejects.toThrow(
    TypeError,
  );
});
