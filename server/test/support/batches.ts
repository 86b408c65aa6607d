import type { Batch, BatchOutputLine } from '@ai-studio/contract/batches.ts';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { call, type Caller, jsonOf } from './http.ts';

/** Lines of a batch of chats, whose prompts tell which they are. */
export const chatLines = (count: number, mark = 'line', body: object = {}): string =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      custom_id: `${mark}-${at}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'CORE-GOV', messages: [{ role: 'user', content: `${mark}-${at}` }], ...body },
    }),
  ).join('\n');

/** Uploads the lines of a batch; the id of the file. */
export async function uploadLines(caller: Caller, content: string): Promise<string> {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([content]), 'lines.jsonl');
  const response = await fetch(`${caller.base}/v1/files`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${caller.key}` },
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as { id: string }).id;
}

/** Starts a batch of lines. */
export async function startBatch(caller: Caller, content: string, endpoint = '/v1/chat/completions'): Promise<Batch> {
  const input_file_id = await uploadLines(caller, content);
  const body = { input_file_id, endpoint, completion_window: '24h' };
  const reply = await call(caller, '/v1/batches', { body });
  expect(reply.status, reply.text).toBe(200);
  return jsonOf<Batch>(reply);
}

export const readBatch = async (caller: Caller, id: string): Promise<Batch> =>
  jsonOf<Batch>(await call(caller, `/v1/batches/${id}`));

/** A batch once it has ended. */
export const endedBatch = (caller: Caller, id: string, timeoutMs?: number): Promise<Batch> =>
  eventually(async () => {
    const batch = await readBatch(caller, id);
    expect(['completed', 'failed', 'expired', 'cancelled'], JSON.stringify(batch)).toContain(batch.status);
    return batch;
  }, timeoutMs);

/** The lines of a file with results; none where there is no file. */
export async function resultsOf(caller: Caller, fileId: string | null): Promise<BatchOutputLine[]> {
  if (fileId === null) return [];
  const { status, text } = await call(caller, `/v1/files/${fileId}/content`);
  expect(status, text).toBe(200);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as BatchOutputLine);
}
