import { utimesSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeScriptedModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import { ask, databaseOf, firstTenant, makeAgent, message, stream, streamUntil, textOf } from '../support/a2a.ts';
import { definitionOf } from '../support/agent-runs.ts';
import { eventually } from '../support/eventually.ts';
import { call, jsonOf } from '../support/http.ts';
import { makeCollection, uploadReady } from '../support/retrieval.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';

// Agents on models that the service runs itself.

const PLAIN = '첫째, 둘째, 세 번째 그리고 끝 [1].';

let dataFolder: string;
let service: Service;
let db: Database;
let tenant: TenantId;

/** A file of some age in the folder of models. */
async function put(id: string, write: (path: string) => unknown): Promise<void> {
  const path = join(dataFolder, 'models', `${id}.gguf`);
  write(`${path}.part`);
  const minuteAgo = Date.now() / 1000 - 60;
  utimesSync(`${path}.part`, minuteAgo, minuteAgo);
  await rename(`${path}.part`, path);
}

beforeAll(async () => {
  dataFolder = await temporaryFolder();
  await mkdir(join(dataFolder, 'models'));
  await put('script', (path) =>
    writeScriptedModel(path, {
      routes: {
        plain: PLAIN,
        think: ['<think>', '먼저 ', '곱한다.', '</think>', '답은 ', '144', '입니다.'],
        // Takes seconds: a token after the other.
        long: Array.from({ length: 3_000 }, (_, at) => `w${at} `),
        tool: ['<tool_call>', '{"name": "calculator", ', '"arguments": {"expression": ', '"6*7"}}', '</tool_call>'],
      },
    }),
  );
  const limits = { requests_per_minute: null, tokens_per_minute: null };
  service = await startService({ dataFolder, config: { limits } });
  await eventually(async () => {
    const { data } = jsonOf<{ data: { id: string }[] }>(await call(service, '/v1/models'));
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(['script']));
  });
  db = await databaseOf(service);
  tenant = await firstTenant(db);
});
afterAll(async () => {
  await db?.close();
  await service?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const input = { id: 'input', kind: 'input' };
const answer = { id: 'answer', kind: 'answer', text: '{{model.text}}' };
const modelNode = (fields: object) => ({ id: 'model', kind: 'model', model: 'script', ...fields });
const agentWith = (fields: object) =>
  makeAgent(db, tenant, definitionOf([input, modelNode(fields), answer], ['input>model', 'model>answer']));
const says = (text: string) => ({ message: message(text) });

describe('a local model in an agent', () => {
  test('answers from passages, with its citation', async () => {
    const { collection_id: collection } = await makeCollection(service);
    await uploadReady(
      service,
      collection,
      'rules.md',
      '# Rules\n\nThe third comes after the second and before the end.',
    );
    const { slug } = await makeAgent(
      db,
      tenant,
      definitionOf(
        [
          input,
          { id: 'search', kind: 'retrieve', collections: [collection] },
          modelNode({ passages: ['search.passages'], prompt: 'say plain {{input.text}}' }),
          answer,
        ],
        ['input>search', 'search>model', 'model>answer'],
      ),
    );
    const { events } = await stream(service, slug, 'message/stream', says('Which comes after the second?'));
    expect(textOf(events)).toBe(PLAIN);
    const [run] = await db.query
      .selectFrom('agent_runs')
      .select('citations')
      .orderBy('number', 'desc')
      .limit(1)
      .execute();
    expect(run?.citations).toMatchObject([{ number: 1, document_name: 'rules.md' }]);
  });

  test('thinks apart from its answer', async () => {
    const { slug } = await agentWith({ prompt: 'say think' });
    expect(textOf((await stream(service, slug, 'message/stream', says('x'))).events)).toBe('답은 144입니다.');
  });

  test('has its calls of tools made, and is asked to answer at last', async () => {
    const { slug } = await agentWith({ prompt: 'say tool', tools: [{ kind: 'calculator' }], max_steps: 2 });
    const { id } = await ask(service, slug, 'message/send', says('x'));
    const steps = await db.query
      .selectFrom('agent_steps')
      .select('outputs')
      .where('run_id', '=', id)
      .where('key', '=', 'model')
      .execute();
    expect(steps[0]?.outputs).toMatchObject({
      calls: [{ name: 'calculator', arguments: { expression: '6*7' }, result: { value: '42' }, failed: false }],
    });
  });

  test('is ended in the middle of its words', async () => {
    covers('agents.run.cancel');
    const { slug } = await agentWith({ prompt: 'say long' });
    const events = await streamUntil(service, slug, 'message/stream', says('x'), (list) => textOf(list).length > 3);
    const taskId = events[0]?.result.taskId ?? '';
    const task = await ask(service, slug, 'tasks/cancel', { id: taskId });
    expect(task.status.state).toBe('canceled');
    // Its place is free at once.
    const { slug: next } = await agentWith({ prompt: 'say plain' });
    expect(textOf((await stream(service, next, 'message/stream', says('x'))).events)).toBe(PLAIN);
  });
});
