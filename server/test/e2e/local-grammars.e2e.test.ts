import { utimesSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRandomModel, writeScriptedModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { covers } from '../requirements.ts';
import { chat, chatStream, expectError, join, jsonOf } from '../support/http.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';

let dataFolder: string;
let service: Service;
beforeAll(async () => {
  dataFolder = await temporaryFolder();
  const folder = joinPath(dataFolder, 'models');
  await mkdir(folder);
  const minuteAgo = Date.now() / 1000 - 60;
  const paths = [
    writeRandomModel(joinPath(folder, 'tiny.gguf')),
    writeScriptedModel(joinPath(folder, 'script.gguf'), {
      routes: { think: ['<think>', '먼저 ', '생각한다.', '</think>', '답은 ', '144', '입니다.'] },
    }),
  ];
  for (const path of paths) utimesSync(path, minuteAgo, minuteAgo);
  service = await startService({
    dataFolder,
    config: {
      local_models: { threads: 1 },
      models: { 'CORE-GOV-THINK': { engines: [{ engine: 'llama', model: 'script' }] } },
    },
  });
});
afterAll(async () => {
  await service.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const format = (schema: unknown) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
});
const schema = {
  type: 'object',
  properties: { answer: { enum: ['yes', 'no'] }, count: { type: 'integer', minimum: 1, maximum: 12 } },
  required: ['answer', 'count'],
  additionalProperties: false,
};
const plain = { chat_template_kwargs: { enable_thinking: false }, temperature: 1, max_tokens: 200 };

const expectAnswer = (text: string | null | undefined) => {
  const value = JSON.parse(text ?? '') as { answer: string; count: number };
  expect(Object.keys(value)).toEqual(['answer', 'count']);
  expect(['yes', 'no']).toContain(value.answer);
  expect(value.count).toBeGreaterThanOrEqual(1);
  expect(value.count).toBeLessThanOrEqual(12);
};

test('a local model answers under a schema, with the same text whole and streamed', async () => {
  covers('chat.request.response_format');
  const fields = { model: 'tiny', ...plain, ...format(schema), seed: 11 };
  const whole = jsonOf(await chat(service, fields)).choices[0]?.message.content;
  expectAnswer(whole);
  const { chunks, done } = await chatStream(service, fields);
  expect(done).toBe(true);
  expect(join(chunks).content).toBe(whole);
});

test('a catalogue id whose model thinks first answers under a schema after it', async () => {
  covers('chat.request.response_format');
  const reply = jsonOf<Record<string, unknown>>(
    await chat(service, { model: 'CORE-GOV-THINK', max_tokens: 200, seed: 1, ...format(schema) }),
  );
  const [choice] = reply['choices'] as readonly { readonly message: Readonly<Record<string, unknown>> }[];
  expect(JSON.stringify(choice?.message)).toContain('먼저 생각한다.');
  expectAnswer(choice?.message['content'] as string);
});

test('a schema that cannot be obeyed is a 400 that names the place in it', async () => {
  covers('chat.request.response_format');
  const code = { type: 'object', properties: { code: { type: 'string', pattern: '^(?=a)b' } } };
  expectError(await chat(service, { model: 'tiny', ...format(code) }), 400, {
    param: 'response_format.json_schema.schema.properties.code.pattern',
    message: /ahead/,
  });
  const parameters = { type: 'object', properties: { day: { type: 'integer', enum: ['today'] } } };
  const tools = [{ type: 'function', function: { name: 'plan', parameters } }];
  expectError(await chat(service, { model: 'tiny', tools, tool_choice: 'required' }), 400, {
    param: 'tools[0].function.parameters.properties.day.enum',
  });
});
