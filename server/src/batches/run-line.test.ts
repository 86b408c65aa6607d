import type { Actor } from '../kernel/actor.ts';
import { beforeEach, expect, test } from 'vitest';
import { covers } from '../../test/requirements.ts';
import { noAgents } from '../../test/support/no-agents.ts';
import { AgentRunFailure, type OpenedChat } from '../agents/index.ts';
import type { ChatInference, ChatOutput, ChatResult } from '../inference/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import { toStudioError } from '../ports/failure.ts';
import { type LineDeps, runLine } from './run-line.ts';

// Lines that name agents, with an agent that does what the test says.

const noUsage = { promptTokens: 1, completionTokens: 1, reasoningTokens: null, promptTokensDetails: null };
const running = { cancel() {}, stop() {}, drained() {}, ping() {} };

/** What the agent fails with; null: it answers. */
let failure: StudioError | null;
/** How its answers were begun. */
let begun: unknown[];
/** Who asked for agents. */
let asked: Actor[] = [];
beforeEach(() => {
  failure = null;
  asked = [];
  begun = [];
});

const result = (): ChatResult => ({
  outcome: failure === null ? 'ok' : 'error',
  error: failure,
  usage: noUsage,
  engine: null,
  firstTokenMs: null,
  opened: false,
});

/** The agent, as it is asked by one request. */
const chat: OpenedChat = {
  model: 'agent/a',
  stream: false,
  ignored: [],
  run(output: ChatOutput, done, options) {
    begun.push(options);
    queueMicrotask(() => {
      if (failure === null) output.reply(Buffer.from('{"said":"안녕"}').toString('latin1'));
      else output.fail(failure);
      done(result());
    });
    return running;
  },
  tell(listener, done, options) {
    begun.push(options);
    queueMicrotask(() => {
      if (failure === null) {
        listener.text('안녕');
        listener.sources([]);
      }
      done(result());
    });
    return running;
  },
};

const inference = {
  countRequest: async () => {},
  settle() {},
  cancel() {},
  redactError: (error: unknown) => error,
  rate: null,
  admit: () => Promise.reject(new StudioError('invalid_request', 'no such model')),
} as unknown as ChatInference;

const deps = {
  openStoredCalls: () => ({ openChat: () => inference, spent: () => null }),
  responses: {
    agents: {
      ...noAgents,
      open(actor: Actor) {
        asked.push(actor);
        return Promise.resolve(chat);
      },
    },
    store: { keeps: true },
    hosted: { served: { find: () => Promise.resolve([]) } },
    box: createSecretBox(Buffer.alloc(32, 7)),
    searchesWeb: false,
    findFile: null,
    now: Date.now,
  },
  failure(error: unknown) {
    const { code, message } = toStudioError(error);
    return { status: code === 'unavailable' ? 503 : 400, body: { message } };
  },
  now: Date.now,
} as unknown as LineDeps;

const given = (agentModels: boolean) => ({
  actor: { limits: {} } as never,
  scopes: new Set(['chat'] as const),
  agentModels,
  name: 'batch/b/1',
  signal: new AbortController().signal,
  onRate() {},
});

const lines = [
  ['/v1/chat/completions', { model: 'agent/a', messages: [{ role: 'user', content: 'x' }] }],
  ['/v1/responses', { model: 'agent/a', input: 'x' }],
] as const;

test.for(lines)('%s: an agent answers by a run that has the name of the line', async ([endpoint, body]) => {
  covers('parts.agents.batches');
  const { outcome, error } = await runLine(deps, endpoint, { customId: 'c', body }, given(true));
  expect(outcome).toMatchObject({ ok: true, output: { custom_id: 'c', response: { status_code: 200 } } });
  expect(JSON.stringify(outcome?.output.response?.body)).toContain('안녕');
  expect(begun).toEqual([{ lasting: 'batch/b/1', priority: 'batch' }]);
  expect(error).toBeNull();
});

test.for(lines)('%s: a run that has failed is not begun again; one that could not be followed is', async (line) => {
  covers('parts.agents.batches');
  const [endpoint, body] = line;
  const run = () => runLine(deps, endpoint, { customId: 'c', body }, given(true));
  failure = new AgentRunFailure('unavailable', 'its model is away');
  const failed = await run();
  expect(failed.outcome).toMatchObject({ ok: false, output: { response: { status_code: 503 } } });
  expect(JSON.stringify(failed.outcome)).toContain('its model is away');
  expect(failed.error).toBeNull();
  failure = new StudioError('unavailable', 'the database is away');
  expect((await run()).error).toMatchObject({ code: 'unavailable' });
});

test('what answers a response sees no documents that have readers of their own: every key of the tenant reads its file', async () => {
  covers('retrieval.readers');
  const body = { model: 'agent/a', input: 'x' };
  await runLine(deps, '/v1/responses', { customId: 'c', body }, given(true));
  expect(asked).toMatchObject([{ openDocumentsOnly: true }]);
});

test('to a key without agents as models it is a model that is not there, and so is a number', async () => {
  covers('parts.agents.batches');
  for (const [model, agentModels] of [
    ['agent/a', false],
    [5, true],
  ] as const) {
    const { outcome } = await runLine(
      deps,
      '/v1/chat/completions',
      { customId: 'c', body: { model } },
      given(agentModels),
    );
    expect(outcome).toMatchObject({ ok: false, output: { response: { status_code: 400 } } });
  }
  expect(begun).toEqual([]);
});
