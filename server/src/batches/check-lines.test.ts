import { BatchRequest } from '@ai-studio/contract/batches.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkFile } from './check-lines.ts';

test('what the database could not hold neither stops a batch nor is taken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lines-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'lines');
  const line = { custom_id: 'a\0', method: 'POST', url: '/v1/embeddings', body: { model: 'bge\0-m3', input: 'x' } };
  await writeFile(path, JSON.stringify(line));
  const checked = await checkFile(path, '/v1/embeddings', { maxLines: 10, maxLineBytes: 1_000 });
  expect(checked).toEqual({ total: 1, model: 'bge-m3', errors: [] });

  const order = { input_file_id: 'file-1', endpoint: '/v1/embeddings', completion_window: '24h' };
  const takes = (metadata: object) => BatchRequest.safeParse({ ...order, metadata }).success;
  expect(takes({ topic: '인사 👋' })).toBe(true);
  for (const text of ['\0', '\ud83d']) {
    expect(takes({ topic: text })).toBe(false);
    expect(takes({ [text]: 'x' })).toBe(false);
  }
});
