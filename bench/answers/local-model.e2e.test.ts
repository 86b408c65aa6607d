import { utimesSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeScriptedModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { covers } from '../../server/test/requirements.ts';
import { temporaryFolder } from '../../server/test/support/service.ts';
import { type AnswerService, startAnswerService } from './service.ts';
import { sets } from './sets.ts';
import { renderSetDocument } from './render-document.ts';

// The four templates with thirty uploaded documents on a model that the service runs itself, whose words are a script: what
// it is asked with and what becomes of its answers is real, what it says is not.

const [{ set } = { set: undefined }] = sets;
if (!set) throw new Error('There is no set');

/** Which route the model goes by the rules that a template gives it. */
const chatTemplate = (routes: Readonly<Record<string, string>>) =>
  `{%- set ns = namespace(route='plain') -%}{%- for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% if message.role == 'system' -%}${Object.entries(routes)
    .map(([route, words]) => `{%- if '${words}' in message.content %}{% set ns.route = '${route}' %}{% endif -%}`)
    .join('')}{%- endif -%}{%- endfor -%}{{ '<|route_' ~ ns.route ~ '|>' }}`;

let dataFolder: string;
let service: AnswerService;
beforeAll(async () => {
  dataFolder = await temporaryFolder();
  const models = join(dataFolder, 'models');
  await mkdir(models);
  const path = join(models, 'script.gguf');
  writeScriptedModel(`${path}.part`, {
    routes: {
      plain: '도움이 되는 답입니다.',
      cite: 'It is there [1].',
      plan: '{"questions": ["구내식당은 어디에 있나요?", "주차장 월 정기권은 얼마인가요?"]}',
      note: '찾은 곳 [1]',
      write: '모아 쓴 글 [1][2]',
      document: 'A summary.',
    },
    contextLength: 16_384,
    chatTemplate: chatTemplate({
      cite: 'You answer questions from the passages',
      plan: 'Split the request',
      note: 'You answer one question',
      write: 'You write one answer',
      document: 'You work with documents',
    }),
  });
  const minuteAgo = Date.now() / 1000 - 60;
  utimesSync(`${path}.part`, minuteAgo, minuteAgo);
  await rename(`${path}.part`, path);
  service = await startAnswerService(set.documents, { model: 'script', dataFolder });
});
afterAll(async () => {
  await service?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

test('an answer that cites its first passage cites the document that holds the answer', async () => {
  covers('agents.templates.knowledge');
  const wrong: string[] = [];
  for (const [question, , document] of set.questions) {
    const { answer, cited } = await service.ask(question);
    expect(answer).toBe('It is there [1].');
    expect(cited).toHaveLength(1);
    if (cited[0] !== document) wrong.push(`${question} → ${cited[0]} (${document})`);
  }
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(set.questions.length / 10);
});

test('a plain assistant answers', async () => {
  covers('agents.templates.work');
  expect((await service.ask('안녕하세요', { template: 'plain_assistant' })).answer).toBe('도움이 되는 답입니다.');
});

test('an attached document is read, and asked for where there is none', async () => {
  const [first] = set.documents;
  if (!first) throw new Error('There is no document');
  const files = [{ name: first.name, bytes: renderSetDocument(first) }];
  const read = await service.ask('요약해 주세요.', { template: 'document_processing', files });
  expect(read.answer).toBe('A summary.');
  expect(read.steps).toContain('read');
  expect((await service.ask('요약해 주세요.', { template: 'document_processing' })).answer).toContain('Please attach');
});

test('a request is split by a schema, each part looked up, and what is written cites the documents of both', async () => {
  const { answer, cited, steps } = await service.ask('구내식당 위치와 주차 요금을 알려 주세요.', {
    template: 'multi_step',
  });
  expect(answer).toBe('모아 쓴 글 [1][2]');
  expect(steps).toEqual(expect.arrayContaining(['plan', 'each[0]/search', 'each[1]/search', 'each[1]/note', 'write']));
  const holding = set.documents.filter(({ text }) => /구내식당은|월 정기권/.test(text)).map(({ name }) => name);
  expect(cited.some((name) => holding.includes(name))).toBe(true);
});
