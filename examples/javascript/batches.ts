// Many questions in one file, answered in the background, with the `openai` package.
//   STUDIO_URL=http://127.0.0.1:8080 STUDIO_API_KEY=… node examples/javascript/batches.ts
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, { toFile } from 'openai';

const client = new OpenAI({ baseURL: `${process.env.STUDIO_URL}/v1`, apiKey: process.env.STUDIO_API_KEY });

const lines = [3, 4, 5].map((n) => ({
  custom_id: `square-${n}`,
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: 'CORE-GOV', messages: [{ role: 'user', content: `${n} * ${n}?` }] },
}));
const file = await client.files.create({
  file: await toFile(Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')), 'squares.jsonl'),
  purpose: 'batch',
});
let batch = await client.batches.create({
  input_file_id: file.id,
  endpoint: '/v1/chat/completions',
  completion_window: '24h',
});
while (!['completed', 'failed', 'expired', 'cancelled'].includes(batch.status)) {
  await sleep(200);
  batch = await client.batches.retrieve(batch.id);
}
console.log('batch:', batch.status, batch.request_counts);

const output = await (await client.files.content(batch.output_file_id ?? '')).text();
for (const line of output.trim().split('\n')) {
  const { custom_id: id, response } = JSON.parse(line);
  console.log(`${id}:`, response.body.choices[0].message.content);
}
