import { describe, expect, onTestFinished, test } from 'vitest';
import { silent } from '../../test/support/postgres.ts';
import { scriptedEngine } from '../../test/support/scripted-engine.ts';
import { createCatalogue } from '../models/catalogue.ts';
import { type Engine, EngineError } from '../ports/engine.ts';
import { type ChatResult, complete, type CompleteOptions } from './complete.ts';
import { ReasoningMemory } from './reply/reasoning-memory.ts';
import { createPrepare } from './request/prepare.ts';
import { createRouter } from './routing/index.ts';

const limits = { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };
const down = new EngineError('unavailable', 'down', { status: 503 });

/** A chat of a model with two engines, and what its client got. `takes` says whether the client takes what is written. */
function setting(more: object = {}, options: Partial<CompleteOptions> = {}, takes = () => true) {
  const [first, second] = [scriptedEngine(), scriptedEngine()];
  const held: string[] = [];
  const failures: unknown[] = [];
  const chatOfFirst: Engine['chat'] = (call, sink) => {
    const run = first.engine.chat?.(call, sink);
    return { abort: () => run?.abort(), pause: () => held.push('pause'), resume: () => held.push('resume') };
  };
  const engines = new Map([
    ['first', [{ engine: { ...first.engine, chat: chatOfFirst }, weight: 1 }]],
    ['second', [{ engine: second.engine, weight: 1 }]],
  ]);
  const router = createRouter({ engines, limits, log: silent });
  onTestFinished(() => router.close());
  const catalogue = createCatalogue({
    models: {
      m: {
        engines: [
          { engine: 'first', priority: 0 },
          { engine: 'second', priority: 1 },
        ],
        reasoning: { default: 'on', keys: ['reasoning'], format: 'open' },
        template_keys: { think: { type: 'boolean', when_true: 'on', when_false: 'off' } },
      },
      plain: {
        engines: [
          { engine: 'first', priority: 0 },
          { engine: 'second', priority: 1 },
        ],
      },
    },
  });
  const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }], ...more };
  const chat = createPrepare({ catalogue, maxJsonBytes: 10_000 })(Buffer.from(JSON.stringify(body)), null);
  const seen: string[] = [];
  const results: ChatResult[] = [];
  /** How each chat ended, and what its client had last when it was counted. */
  const counted: unknown[] = [];
  const clock = { now: 1_000_000 };
  const running = complete(
    { router, memory: new ReasoningMemory(), now: () => clock.now },
    chat,
    { requestId: 'r', toolStream: 'openai', ...options },
    {
      open: () => void seen.push('open'),
      write: (bytes) => seen.push(bytes) > 0 && takes(),
      end: () => void seen.push('end'),
      reply: (bytes) => void seen.push(bytes),
      fail(error) {
        seen.push(String(error));
        failures.push(error);
      },
    },
    {
      count({ outcome }, told) {
        counted.push([outcome, seen.at(-1)]);
        told();
      },
      done: (result) => void results.push(result),
    },
  );
  const fail = () => first.last().sink({ type: 'error', error: down });
  return { first, second, running, seen, results, counted, clock, fail, held, failures };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a chat whose engine fails', () => {
  test('before anything was sent goes to another one', async () => {
    const { second, seen, results, fail } = setting();
    fail();
    second.say('Hello');
    second.end();
    await turn();
    expect(seen.join('')).toContain('Hello');
    expect(results).toMatchObject([{ outcome: 'ok', engine: 'script' }]);
  });

  test('after a sign of life was sent fails, as another would begin anew', async () => {
    const { second, running, seen, results, fail } = setting();
    running.ping();
    fail();
    await turn();
    expect(second.calls).toEqual([]);
    expect(seen).toEqual(['open', ': ping\n\n', 'EngineError: down']);
    expect(results).toMatchObject([{ outcome: 'error', error: down, firstTokenMs: null }]);
    // A call that failed before anything came has cost its caller nothing.
    expect(results[0]?.usage).toMatchObject({ promptTokens: 0, completionTokens: 0 });
  });
});

describe('how a chat ended', () => {
  test('is told once, with the time to its first event and what it used', async () => {
    const { first, running, results, clock } = setting();
    clock.now += 250;
    first.say('Hello');
    clock.now += 250;
    first.say(' you');
    first.end();
    running.cancel();
    running.stop();
    await turn();
    expect(results).toMatchObject([
      {
        outcome: 'ok',
        error: null,
        engine: 'script',
        firstTokenMs: 250,
        usage: { promptTokens: 7, completionTokens: 3 },
      },
    ]);
  });

  test.each(['cancel', 'stop'] as const)('is canceled after %s, and its engine is stopped', (how) => {
    const { first, running, results } = setting();
    first.say('Hello');
    running[how]();
    first.say(' you');
    expect(first.last().aborted).toBe(true);
    expect(results).toMatchObject([{ outcome: 'canceled', error: null }]);
  });
});

test.each([
  ['a stream', true, 'Hello'],
  ['a whole reply', false, undefined],
])('%s is counted before its client can know that it is over', async (_name, stream, last) => {
  const { first, seen, counted } = setting({ model: 'plain', stream });
  first.say('Hello');
  await turn();
  first.end();
  await turn();
  expect(counted).toEqual([['ok', last && expect.stringContaining(last)]]);
  expect(seen.join('')).toContain('Hello');
});

test('a failure is counted before its client is told', () => {
  const { running, fail, counted, failures } = setting();
  running.ping();
  fail();
  expect(counted).toEqual([['error', ': ping\n\n']]);
  expect(failures).toEqual([down]);
});

test('thinking that begins without a mark is known by the model having been asked to think', async () => {
  const texts = async (think: boolean) => {
    const { first, seen } = setting({ stream: false, chat_template_kwargs: { think } });
    first.say('Let me see</think>42');
    first.end();
    await turn();
    const { choices } = JSON.parse(seen.join('')) as {
      choices: { message: { content: string; reasoning?: string } }[];
    };
    return choices[0]?.message;
  };
  expect(await texts(true)).toMatchObject({ content: '42', reasoning: 'Let me see' });
  // Nor is it shown where the model was asked not to, and did.
  expect(await texts(false)).toMatchObject({ content: '42', reasoning: null });
});

test('a stream keeps the thinking apart while it is being said', async () => {
  const { first, seen } = setting({ chat_template_kwargs: { think: true } });
  first.say(`Let me ${'think '.repeat(200)}`);
  await turn();
  expect(seen.join('')).toContain('"reasoning":"Let me');
  expect(seen.join('')).not.toContain('"content":"Let me');
});

describe('a client that reads', () => {
  test('slowly holds the engine back until it has caught up', async () => {
    let takes = false;
    const { first, running, held } = setting({ model: 'plain' }, {}, () => takes);
    first.say('a');
    expect(held).toEqual([]);
    await turn();
    expect(held).toEqual(['pause']);
    takes = true;
    running.drained();
    expect(held).toEqual(['pause', 'resume']);
    first.say('b');
    await turn();
    expect(held).toEqual(['pause', 'resume']);
  });

  test('gets in one piece what comes in one tick, and the beginning once', async () => {
    const { first, seen } = setting({ model: 'plain' });
    first.say('a');
    first.say('b');
    expect(seen).toEqual(['open']);
    await turn();
    expect(seen).toHaveLength(2);
    first.say('c');
    await turn();
    expect(seen).toHaveLength(3);
    first.end();
    expect(seen.at(-1)).toBe('end');
    expect(seen.filter((one) => one === 'open')).toHaveLength(1);
    expect(seen.join('').match(/data: \[DONE\]/g)).toHaveLength(1);
  });

  test('gets signs of life until the reply is over', () => {
    const { first, running, seen } = setting();
    running.ping();
    running.ping();
    first.end();
    const before = seen.length;
    running.ping();
    expect(seen.slice(0, 3)).toEqual(['open', ': ping\n\n', ': ping\n\n']);
    expect(seen).toHaveLength(before);
  });

  test('gets what had come before the failure is told', () => {
    const { first, seen, results } = setting({ model: 'plain' });
    first.say('Half');
    first.last().sink({ type: 'error', error: down });
    expect(seen).toEqual(['open', expect.stringContaining('"content":"Half"'), 'EngineError: down']);
    expect(results).toMatchObject([{ outcome: 'error', usage: { completionTokens: 1 } }]);
    expect(results[0]?.usage.promptTokens).toBeGreaterThan(0);
  });
});

describe('a reply that is stopped', () => {
  test('gives out what may have been the beginning of a stop string', async () => {
    const { first, running, seen } = setting({ model: 'plain', stop: ['END'] });
    first.say('Hello EN');
    await turn();
    expect(seen.join('')).not.toContain('EN"');
    running.stop();
    expect(seen.join('')).toContain('"content":"Hello "');
  });

  test('by a stop string ends as any other, and its engine need not go on', async () => {
    const { first, seen, results } = setting({ model: 'plain', stop: ['END'] });
    first.say('Hello END more');
    await turn();
    expect(first.last().aborted).toBe(true);
    expect(results).toMatchObject([{ outcome: 'ok', error: null, usage: { completionTokens: 1 } }]);
    expect(seen.join('')).toContain('"stop_reason":"END"');
    expect(seen.at(-1)).toBe('end');
    first.say('again');
    await turn();
    expect(results).toHaveLength(1);
  });

  test('by a stop string and comes whole has the usage that its engine tells in the same breath', async () => {
    const { first, seen, results } = setting({ model: 'plain', stop: ['END'], stream: false });
    first.say('Hello END more');
    expect(seen).toEqual([]);
    first.end();
    await turn();
    expect(results).toMatchObject([{ outcome: 'ok', usage: { promptTokens: 7, completionTokens: 3 } }]);
    expect(seen).toHaveLength(1);
    const slow = setting({ model: 'plain', stop: ['END'], stream: false });
    slow.first.say('Hello END more');
    await turn();
    expect(slow.first.last().aborted).toBe(true);
    expect(slow.results).toMatchObject([{ outcome: 'ok', usage: { completionTokens: 1 } }]);
  });
});

describe('a chat of a part of the service', () => {
  const events = (think: boolean) => {
    const taken: string[] = [];
    const own = setting(
      { chat_template_kwargs: { think } },
      { events: (event) => taken.push(event.type === 'text' ? `${event.channel} ${event.json}` : event.type) },
    );
    return { ...own, taken };
  };

  test('comes as events, thinking only where it was asked for, and no failure among them', () => {
    for (const [think, thought] of [
      [true, ['reasoning why']],
      [false, []],
    ] as const) {
      const { first, taken, results, seen } = events(think);
      first.say('why', 'reasoning');
      first.say('Hello');
      first.last().sink({ type: 'error', error: down });
      expect(taken).toEqual([...thought, 'content Hello']);
      expect(results).toMatchObject([{ outcome: 'error', error: down }]);
      expect(seen).toEqual(['open', 'EngineError: down']);
    }
  });

  test('that has begun goes to no other engine', async () => {
    const { first, second, fail } = events(false);
    first.say('Hello');
    fail();
    await turn();
    expect(second.calls).toEqual([]);
  });
});

test('a refusal of the messages is told to a client of text completions as one of the prompt', () => {
  for (const [options, param] of [
    [{ text: { echoes: [] } }, 'prompt'],
    [{}, 'messages'],
  ] as const) {
    const { first, results, failures } = setting({}, options);
    const error = new EngineError('refused', 'no', { status: 400, param: 'messages' });
    first.last().sink({ type: 'error', error });
    expect(failures).toMatchObject([{ param }]);
    expect(results[0]?.error).toBe(error);
  }
});

test('a text completion begins with the echo of its prompt, streamed or whole', async () => {
  for (const stream of [true, false]) {
    const { first, seen } = setting(
      { stream, chat_template_kwargs: { think: false } },
      { text: { echoes: ['Why? '] } },
    );
    first.say('So');
    first.end();
    await turn();
    expect(seen.join('')).toContain('text_completion');
    expect(seen.join('')).toMatch(stream ? /"text":"Why\? "[^]*"text":"So"/ : /"text":"Why\? So"/);
  }
});
