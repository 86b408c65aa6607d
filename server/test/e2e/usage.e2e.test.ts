import { UsageReport } from '@ai-studio/contract/console/usage.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { administratorEnv } from '../support/administrator-env.ts';
import { signInAdministrator } from '../support/administrator.ts';
import { makeKey } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { freePort, type Service, startService, temporaryFolder } from '../support/service.ts';
import { eventsOf, openStream, openUpstream, type Upstream } from '../support/upstream.ts';

const models = ['CORE-GOV', 'CORE-GOV-THINK'] as const;

/** What the calls of this test came to, as their clients saw it. */
interface Sum {
  requests: number;
  errors: number;
  canceled: number;
  prompt_tokens: number;
  completion_tokens: number;
}
const nothing = (): Sum => ({ requests: 0, errors: 0, canceled: 0, prompt_tokens: 0, completion_tokens: 0 });

let upstream: Upstream;
let service: Service;
let dataFolder: string;
let port: number;

/** Streams as many pieces as the call says, slowly enough for a restart to come in between; refuses where it says so. */
const playSlowly: Parameters<Upstream['plays']>[0] = async (call) => {
  const { seed = 0 } = call.json;
  const pieces = 5 + (Number(seed) % 20);
  if (Number(seed) % 10 === 9) {
    call.response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    return;
  }
  const usage = { prompt_tokens: Number(seed), completion_tokens: pieces, total_tokens: Number(seed) + pieces };
  const response = openStream(call);
  for (const event of eventsOf(call, { text: Array.from({ length: pieces }, () => 'x '), usage })) {
    response.write(event);
    await sleep(20);
  }
  response.end();
};

const start = async (workers: number) => {
  service = await startService({
    dataFolder,
    port,
    env: administratorEnv,
    config: {
      server: { workers },
      engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
      models: Object.fromEntries(models.map((id) => [id, { engines: [{ engine: 'fake' }] }])),
      limits: { requests_per_minute: null, tokens_per_minute: null },
      probe: { enabled: false },
    },
  });
};

beforeAll(async () => {
  upstream = await openUpstream([...models]);
  upstream.plays(playSlowly);
  dataFolder = await temporaryFolder();
  port = await freePort();
  await start(1);
});
afterAll(async () => {
  await service.close();
  await upstream.close();
  await rm(dataFolder, { recursive: true, force: true });
});

/** One stream, read to its end. */
async function stream(headers: Record<string, string>, path: string, model: string, seed: number): Promise<Sum> {
  const response = await fetch(`${service.base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model,
      seed,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: `Hello ${seed}` }],
    }),
  });
  const text = await response.text();
  if (seed % 10 === 9) {
    expect(response.status, text).toBe(400);
    return { ...nothing(), requests: 1, errors: 1 };
  }
  expect(response.status, text).toBe(200);
  expect(text).toContain('data: [DONE]');
  const last = text.split('\n\n').findLast((event) => event.includes('"usage":{')) ?? '';
  const { usage } = JSON.parse(last.slice(6)) as { usage: Pick<Sum, 'prompt_tokens' | 'completion_tokens'> };
  const { prompt_tokens, completion_tokens } = usage;
  return { ...nothing(), requests: 1, prompt_tokens, completion_tokens };
}

const add = (a: Sum, b: Sum): Sum => ({
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  canceled: a.canceled + b.canceled,
  prompt_tokens: a.prompt_tokens + b.prompt_tokens,
  completion_tokens: a.completion_tokens + b.completion_tokens,
});
const addUp = (into: Map<string, Sum>, name: string, sum: Sum) => into.set(name, add(into.get(name) ?? nothing(), sum));

test('figures are the sum of what was sent, under 50 parallel streams and a restart in the middle', async () => {
  const keys = [await makeKey(service), await makeKey(service), await makeKey(service)];
  const session = await signInAdministrator(service);
  const byModel = new Map<string, Sum>();
  const byKey = new Map<string, Sum>();
  let seed = 100;

  const fifty = () =>
    Array.from({ length: 50 }, async (_, i) => {
      const model = models[i % 2] ?? 'CORE-GOV';
      const key = keys[i % 4];
      const sum = key
        ? await stream({ authorization: `Bearer ${key.value}` }, '/v1/chat/completions', model, seed++)
        : await stream(session, '/console/api/chat/completions', model, seed++);
      addUp(byModel, model, sum);
      addUp(byKey, key?.id ?? '', sum);
    });

  const before = fifty();
  await eventually(() => expect(upstream.calls.length).toBeGreaterThanOrEqual(50));
  // The streams are open now; they end before the service does.
  await service.stop();
  await Promise.all(before);
  await start(2);
  await Promise.all(fifty());

  const again = await signInAdministrator(service);
  const report = async (group: string) => {
    const response = await fetch(`${service.base}/console/api/usage?group=${group}&time_zone=Asia/Seoul`, {
      headers: again,
    });
    expect(response.status).toBe(200);
    return UsageReport.parse(await response.json());
  };
  const sumOf = ({ requests, errors, canceled, prompt_tokens, completion_tokens }: Sum): Sum => ({
    requests,
    errors,
    canceled,
    prompt_tokens,
    completion_tokens,
  });
  const total = [...byModel.values()].reduce(add, nothing());
  expect(total.requests).toBe(100);
  // The process that answers writes what it has counted; the other one does within a second.
  await eventually(async () => expect((await report('day')).total.requests).toBe(100));
  for (const group of ['day', 'hour', 'model', 'key', 'user', 'endpoint', 'status'])
    expect(sumOf((await report(group)).total), group).toEqual(total);
  const rows = async (group: string) =>
    Object.fromEntries((await report(group)).rows.map((row) => [row.key, sumOf(row)] as const));
  expect(await rows('model')).toEqual(Object.fromEntries(byModel));
  expect(await rows('key')).toEqual(Object.fromEntries(byKey));
});
