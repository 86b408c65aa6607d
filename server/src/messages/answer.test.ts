import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTestChat } from '../../test/support/inference.ts';
import { noAgents } from '../../test/support/no-agents.ts';
import { scriptedEngine } from '../../test/support/scripted-engine.ts';
import { covers } from '../../test/requirements.ts';
import { createMemoryRateLimiter } from '../adapters/embedded/memory-rate-limiter.ts';
import { type AnswerTarget, createRouter } from '../inference/index.ts';
import { type Actor, noRights } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { unlimited } from '../kernel/rate-limits.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { admitMessage, countMessageTokens, type MessageCall, type MessagesDeps } from './index.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const script = scriptedEngine();
const router = createRouter({
  engines: new Map([['script', [{ engine: script.engine, weight: 1 }]]]),
  limits: { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 },
  log: silent,
});
const limiter = createMemoryRateLimiter(Date.now);
const catalogue = createCatalogue({ models: { CORE: { engines: [{ engine: 'script' }] } } });
const rows: { readonly endpoint: string }[] = [];
const deps: MessagesDeps = {
  openChat: openTestChat({ catalogue, router, limiter, record: (row) => void rows.push(row) }),
  countPrompt: ({ promptEstimate }) => Promise.resolve({ count: promptEstimate.likely, isEstimate: true }),
  readFile: () => Promise.reject(new Error('not here')),
  findFile: null,
  box: createSecretBox(Buffer.alloc(32, 7)),
  agents: noAgents,
};
afterAll(async () => {
  router.close();
  await limiter.close();
});
beforeEach(() => void (rows.length = 0));

const actor: Actor = {
  tenantId: 'a'.repeat(32) as TenantId,
  keyId: 'key',
  userId: null,
  rights: noRights,
  allowedModels: null,
  limits: unlimited,
  guard: null,
};
const callWith = (more: Partial<MessageCall> = {}): MessageCall => ({
  actor,
  agentModels: false,
  requestId: 'request',
  startedMs: Date.now(),
  signal: new AbortController().signal,
  onOpen: () => undefined,
  failure: (error) => ({ type: 'error', error: { message: (error as Error).message } }),
  ...more,
});
const request = { model: 'CORE', max_tokens: 100, messages: [{ role: 'user', content: 'x' }] };

/** A target that keeps what it is given. */
function keeping() {
  const kept = { written: '', replied: null as string | null, ended: false, failed: null as unknown };
  const target: AnswerTarget = {
    write: (bytes) => void (kept.written += bytes),
    end: () => void (kept.ended = true),
    reply: (bytes) => void (kept.replied = bytes),
    fail: (error) => void (kept.failed = error),
  };
  return { kept, target };
}
const namesOf = (written: string) => [...written.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);

test('a stream that is silent says by an event that it goes on', async () => {
  covers('messages.stream.ping');
  const { kept, target } = keeping();
  const running = (await admitMessage(deps, callWith(), { ...request, stream: true })).run(target);
  running.ping();
  await Promise.resolve();
  expect(namesOf(kept.written)).toEqual(['message_start', 'ping', 'ping']);
  script.say('Hi');
  script.end();
  await running.ended;
  expect(namesOf(kept.written).slice(3)).toEqual([
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect([kept.ended, rows]).toMatchObject([true, [{ endpoint: 'messages' }]]);
});

test('a whole answer is not pinged', async () => {
  const { kept, target } = keeping();
  const running = (await admitMessage(deps, callWith(), request)).run(target);
  running.ping();
  script.say('Hi');
  script.end();
  await running.ended;
  expect([kept.written, JSON.parse(kept.replied ?? '')]).toMatchObject([
    '',
    { content: [{ type: 'text', text: 'Hi' }] },
  ]);
});

test('one that is cut off ends with the failure, and its model is stopped', async () => {
  const { kept, target } = keeping();
  const running = (await admitMessage(deps, callWith(), { ...request, stream: true })).run(target);
  script.say('Hi');
  running.terminate(new StudioError('unauthenticated', 'The API key was deleted'));
  await running.ended;
  expect(namesOf(kept.written).at(-1)).toBe('error');
  expect([kept.written.includes('The API key was deleted'), kept.ended, script.last().aborted]).toEqual([
    true,
    true,
    true,
  ]);
  const before = keeping();
  const early = (await admitMessage(deps, callWith(), request)).run(before.target);
  early.terminate(new StudioError('unavailable', 'The service is stopping'));
  await early.ended;
  expect(before.kept.failed).toMatchObject({ message: 'The service is stopping' });
});

test('a caller who is gone stops the model, and is told nothing', async () => {
  const { kept, target } = keeping();
  const running = (await admitMessage(deps, callWith(), { ...request, stream: true })).run(target);
  running.cancel();
  expect((await running.ended).outcome).toBe('canceled');
  expect([kept.written, kept.ended, kept.failed, script.last().aborted]).toEqual(['', false, null, true]);
});

test('a count of tokens uses no model and keeps nothing reserved', async () => {
  const calls = script.calls.length;
  const { max_tokens: _, ...count } = request;
  const { tokens, ignored } = await countMessageTokens(deps, callWith(), { ...count, unknown: 1 });
  expect([tokens > 0, ignored, script.calls.length, rows]).toEqual([true, ['unknown'], calls, []]);
});

test('what is wrong is told by the place in the request', async () => {
  const messages = [
    { role: 'user', content: 'x' },
    { role: 'user', content: [{ type: 'text', text: 'y' }] },
    { role: 'assistant', content: 'z' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'tool_result', tool_use_id: 'none', content: 'b' },
      ],
    },
  ];
  const refused = await admitMessage(deps, callWith(), { ...request, messages }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'invalid_request', param: 'messages[3].content[1].tool_use_id' });
  const unknown = await admitMessage(deps, callWith(), { ...request, model: 'claude-x' }).catch(
    (error: unknown) => error,
  );
  expect(unknown).toMatchObject({ code: 'not_found', param: 'model' });
});
