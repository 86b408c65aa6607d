import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { makeKey } from '../support/command.ts';
import { type House, openHouse } from '../support/house.ts';
import {
  CHAT,
  type Joined,
  call,
  chat,
  chatBody,
  chatStream,
  join,
  jsonOf,
  readStream,
  send,
} from '../support/http.ts';
import {
  type ReplyScript,
  type UpstreamCall,
  answer,
  eventsOf,
  openStream,
  play,
  playPieces,
  sse,
} from '../support/upstream.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({
    // As long as the longest of the interface, behind a proxy that doesn't say what it is.
    vllm: { ownedBy: 'somebody', contextLength: 131_072 },
    config: ({ url }) => ({ engines: { fake: { addresses: [url] }, vllm: { addresses: [url], dialect: 'vllm' } } }),
    models: {
      'house-model': {
        engines: [{ engine: 'fake', model: 'served-name' }],
        reasoning: {
          default: 'on',
          keys: ['reasoning'],
          switch: {
            on: { body: { chat_template_kwargs: { enable_thinking: true } } },
            off: { body: { chat_template_kwargs: { enable_thinking: false } } },
          },
        },
        template_keys: { quiet: { type: 'boolean', when_true: 'off' } },
      },
      'thinks-in-tags': { engines: [{ engine: 'fake' }], reasoning: { default: 'on', keys: ['reasoning_content'] } },
      'thinks-openly': { engines: [{ engine: 'fake' }], reasoning: { default: 'on', keys: ['reasoning_content'] } },
      'said-to-think-openly': {
        engines: [{ engine: 'fake' }],
        reasoning: { default: 'on', keys: ['reasoning_content'], format: 'open' },
      },
      'said-to-think-in-tags': {
        engines: [{ engine: 'fake' }],
        reasoning: { default: 'on', keys: ['reasoning_content'], format: 'tags' },
      },
      'thinks-though-told-not-to': {
        engines: [{ engine: 'fake' }],
        reasoning: { default: 'on', keys: ['reasoning_content'] },
        template_keys: { think: { type: 'boolean', when_false: 'off' } },
      },
      'changes-its-ways': { engines: [{ engine: 'fake' }], reasoning: { default: 'on', keys: ['reasoning_content'] } },
      'two-choices': { engines: [{ engine: 'vllm' }], reasoning: { default: 'on', keys: ['reasoning'] } },
      'never-seen': { engines: [{ engine: 'fake' }], reasoning: { default: 'on', keys: ['reasoning'] } },
      mixed: {
        engines: [
          { engine: 'fake', model: 'first' },
          { engine: 'vllm', model: 'second', priority: 1 },
        ],
        reasoning: { default: 'on', keys: ['reasoning'] },
      },
      'stopped-early': { engines: [{ engine: 'fake' }], reasoning: { default: 'on', keys: ['reasoning'] } },
      'one-call': { engines: [{ engine: 'vllm' }] },
      'think-openai': {
        engines: [{ engine: 'fake' }],
        tool_stream: 'openai',
        reasoning: { default: 'on', keys: ['reasoning_content'] },
      },
      'arguments-only': { engines: [{ engine: 'fake' }], tool_stream: 'arguments' },
    },
  });
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const tools = [
  {
    type: 'function',
    function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
  { type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } },
];
const topKeys = [
  'choices',
  'created',
  'id',
  'kv_transfer_params',
  'model',
  'object',
  'prompt_logprobs',
  'service_tier',
  'system_fingerprint',
  'usage',
];
const sorted = (value: object) => Object.keys(value).toSorted();
const pieces = (text: string, size = 3) => text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [];

/** Plays a script whole and streamed, and returns what a client has of both. */
async function both(
  script: ReplyScript,
  fields: Record<string, unknown>,
): Promise<{ whole: Joined; streamed: Joined }> {
  house.upstream.plays(play(script));
  const reply = jsonOf(await chat(house, fields));
  const choice = reply.choices[0];
  if (!choice) throw new Error(JSON.stringify(reply));
  const { message } = choice;
  const whole: Joined = {
    role: message.role,
    content: message.content ?? '',
    reasoning_content: message.reasoning_content ?? undefined,
    reasoning: message.reasoning ?? undefined,
    tools: message.tool_calls.map((one) => ({
      id: one.id,
      name: one.function.name,
      arguments: one.function.arguments,
    })),
    finish: choice.finish_reason,
    stop: choice.stop_reason,
  };
  const stream = await chatStream(house, fields);
  expect(stream.done, stream.text).toBe(true);
  return { whole, streamed: join(stream.chunks) };
}

describe('a whole reply', () => {
  test('has exactly the keys of the interface', async () => {
    covers(
      'chat.reply.keys',
      'chat.reply.content-type',
      'chat.reply.id',
      'chat.reply.object',
      'chat.reply.created',
      'chat.reply.model',
      'chat.reply.index',
      'chat.reply.role',
      'chat.reply.content',
      'chat.reply.tool_calls.empty',
      'chat.reply.logprobs.null',
      'chat.reply.finish.stop',
      'chat.reply.stop_reason.null',
      'chat.reply.usage',
      'chat.reply.prompt_tokens_details',
      'chat.reply.prompt_logprobs',
      'chat.reply.service_tier',
      'chat.reply.system_fingerprint',
      'chat.reply.kv_transfer_params',
    );
    house.upstream.plays(
      play({
        text: '안녕 "하세요" 😀\n',
        stop: 151_645,
        extra: { system_fingerprint: 'fp_1', kv_transfer_params: { a: 1 }, service_tier: null },
      }),
    );
    const before = Math.floor(Date.now() / 1000);
    const response = await chat(house);
    const reply = jsonOf(response);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(sorted(reply)).toEqual(topKeys);
    expect(reply.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
    expect(reply.object).toBe('chat.completion');
    expect(reply.created).toBeGreaterThanOrEqual(before);
    expect(reply.created).toBeLessThanOrEqual(before + 60);
    expect(reply.model).toBe('CORE-GOV');
    expect(reply.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: '안녕 "하세요" 😀\n', reasoning_content: null, tool_calls: [] },
        logprobs: null,
        finish_reason: 'stop',
        stop_reason: null,
      },
    ]);
    expect(reply.usage).toMatchObject({
      prompt_tokens: 11,
      completion_tokens: 7,
      total_tokens: 18,
      prompt_tokens_details: null,
    });
    expect(reply).toMatchObject({
      prompt_logprobs: null,
      service_tier: null,
      system_fingerprint: 'fp_1',
      kv_transfer_params: null,
    });
    expect(jsonOf(await chat(house)).id).not.toBe(reply.id);
  });

  test('names the model that was asked for, not the name at its server', async () => {
    covers('chat.reply.model', 'chat.model.tenth');
    const reply = jsonOf(await chat(house, { model: 'house-model' }));
    expect(reply.model).toBe('house-model');
    expect(house.upstream.one().json.model).toBe('served-name');
  });

  test('has details of usage where the server gives them, and counts where it gives none', async () => {
    covers(
      'chat.reply.prompt_tokens_details',
      'chat.reply.usage.reasoning_tokens',
      'chat.reply.usage.missing',
      'chat.reply.usage.reasoning',
    );
    house.upstream.plays(
      play({
        text: 'OK',
        reasoning: 'hm',
        usage: {
          prompt_tokens: 9,
          completion_tokens: 8,
          total_tokens: 17,
          prompt_tokens_details: { cached_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 5 },
        },
      }),
    );
    const { usage } = jsonOf(await chat(house, { model: 'CORE-GOV-THINK' }));
    expect(usage).toEqual({
      prompt_tokens: 9,
      completion_tokens: 8,
      total_tokens: 17,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 5 },
    });
    for (const stream of [false, true]) {
      house.upstream.plays(play({ text: 'word '.repeat(50), reasoning: 'thought '.repeat(50), usage: null }));
      const fields = { model: 'CORE-GOV-THINK', ...(stream ? { stream_options: { include_usage: true } } : {}) };
      const counted = stream
        ? (await chatStream(house, fields)).chunks.at(-1)?.usage
        : jsonOf(await chat(house, fields)).usage;
      expect(counted?.prompt_tokens).toBeGreaterThan(0);
      expect(counted?.completion_tokens).toBeGreaterThan(60);
      expect(counted?.total_tokens).toBe((counted?.prompt_tokens ?? 0) + (counted?.completion_tokens ?? 0));
    }
  });

  test('ends as the engine ended', async () => {
    covers(
      'chat.reply.finish.stop',
      'chat.reply.finish.length',
      'chat.reply.finish.tool_calls',
      'chat.reply.finish.length-kept',
    );
    const finishOf = async (script: ReplyScript) =>
      Object.values(await both(script, { tools })).map(({ finish }) => finish);
    const call1 = [{ name: 'get_time', arguments: '{}' }];
    expect(await finishOf({ text: 'a', finish: 'stop' })).toEqual(['stop', 'stop']);
    expect(await finishOf({ text: 'a', finish: 'eos' })).toEqual(['stop', 'stop']);
    expect(await finishOf({ text: 'a', finish: 'length' })).toEqual(['length', 'length']);
    expect(await finishOf({ tools: call1, finish: 'stop' })).toEqual(['tool_calls', 'tool_calls']);
    expect(await finishOf({ tools: call1, finish: 'function_call' })).toEqual(['tool_calls', 'tool_calls']);
    expect(await finishOf({ tools: call1, finish: 'length' })).toEqual(['length', 'length']);
  });

  test('ends in length during reasoning when max_tokens is too small', async () => {
    covers('chat.request.max_tokens.reasoning', 'chat.reply.finish.length');
    const script: ReplyScript = { reasoning: pieces('생각하는 중'), finish: 'length' };
    const { whole, streamed } = await both(script, { model: 'CORE-GOV-THINK', max_tokens: 4 });
    for (const one of [whole, streamed])
      expect(one).toMatchObject({ content: '', reasoning_content: '생각하는 중', finish: 'length' });
    for (const text of [
      ['<think>생각하', '는 중'],
      ['생각하', '는 중'],
    ]) {
      const cut = await both({ text, finish: 'length' }, { model: 'CORE-GOV-THINK', max_tokens: 4 });
      expect(cut.whole).toMatchObject({ finish: 'length' });
      expect(`${cut.whole.content}${cut.whole.reasoning_content ?? ''}`).toBe('생각하는 중');
      expect(`${cut.streamed.content}${cut.streamed.reasoning_content ?? ''}`).toBe('생각하는 중');
    }
    house.upstream.reset();
    await chat(house, { max_tokens: 4 });
    expect(house.upstream.one().json.max_tokens).toBe(4);
  });

  test('has several choices, whole and streamed', async () => {
    covers('chat.request.n', 'chat.reply.n', 'chat.stream.n', 'chat.reply.index');
    const scripts: ReplyScript[] = [{ text: ['하', '나'] }, { text: ['둘', '!'], finish: 'length' }, { text: '셋' }];
    const [first = {}, ...more] = scripts;
    let calls = 0;
    // A server of a kind that is not known to take n is asked n times.
    house.upstream.plays((sent) => play(sent.json.n === 3 ? { ...first, more } : (scripts[calls++ % 3] ?? {}))(sent));
    for (const model of ['CORE-GOV', 'one-call']) {
      const reply = jsonOf(await chat(house, { model, n: 3 }));
      expect(reply.choices.map(({ index, message, finish_reason }) => [index, message.content, finish_reason])).toEqual(
        [
          [0, '하나', 'stop'],
          [1, '둘!', 'length'],
          [2, '셋', 'stop'],
        ],
      );
      const stream = await chatStream(house, { model, n: 3 });
      expect([0, 1, 2].map((index) => join(stream.chunks, index))).toMatchObject([
        { role: 'assistant', content: '하나', finish: 'stop' },
        { role: 'assistant', content: '둘!', finish: 'length' },
        { role: 'assistant', content: '셋', finish: 'stop' },
      ]);
    }
    expect(calls).toBe(6);
  });

  test('hands on logprobs, whole and streamed', async () => {
    covers('chat.reply.logprobs', 'chat.request.logprobs');
    const logprobs = { content: [{ token: 'OK', logprob: -0.1, bytes: [79, 75], top_logprobs: [] }] };
    house.upstream.plays(play({ text: 'OK', logprobs }));
    expect(jsonOf(await chat(house, { logprobs: true })).choices[0]?.logprobs).toMatchObject(logprobs);
    const stream = await chatStream(house, { logprobs: true });
    expect(
      stream.chunks.flatMap(({ choices }) => choices).find(({ delta }) => delta.content === 'OK')?.logprobs,
    ).toMatchObject(logprobs);
  });
});

describe('a stream', () => {
  test('has the headers and chunks of the interface', async () => {
    covers(
      'chat.stream.headers',
      'chat.stream.event-form',
      'chat.stream.first-chunk',
      'chat.stream.id',
      'chat.stream.object',
      'chat.stream.choice',
      'chat.stream.finish',
      'chat.stream.done',
      'chat.stream.no-usage',
      'chat.stream.delta-keys',
      'chat.stream.reasoning-first',
    );
    house.upstream.plays(play({ reasoning: ['생', '각'], text: ['안', '녕'] }));
    const { headers, chunks, text } = await chatStream(house, { model: 'CORE-GOV-THINK' });
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(text.endsWith('\n\ndata: [DONE]\n\n')).toBe(true);
    const [first] = chunks;
    expect(first?.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
    const deltas = chunks.map(({ choices }) => choices[0]?.delta);
    expect(deltas).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: '생' },
      { reasoning_content: '각' },
      { content: '안' },
      { content: '녕' },
      {},
    ]);
    for (const [i, chunk] of chunks.entries()) {
      const last = i === chunks.length - 1;
      expect(sorted(chunk)).toEqual(['choices', 'created', 'id', 'model', 'object']);
      expect(chunk).toMatchObject({
        id: first?.id,
        created: first?.created,
        object: 'chat.completion.chunk',
        model: 'CORE-GOV-THINK',
      });
      expect(chunk.choices).toHaveLength(1);
      expect(sorted(chunk.choices[0] ?? {})).toEqual([
        'delta',
        'finish_reason',
        'index',
        'logprobs',
        ...(last ? ['stop_reason'] : []),
      ]);
      expect(chunk.choices[0]).toMatchObject({
        index: 0,
        logprobs: null,
        finish_reason: last ? 'stop' : null,
        ...(last ? { stop_reason: null } : {}),
      });
    }
  });

  test('has one more chunk with usage when it is asked for', async () => {
    covers(
      'chat.stream.include_usage',
      'chat.stream.no-usage',
      'chat.request.stream_options',
      'chat.reply.usage.reasoning',
    );
    house.upstream.plays(play({ text: ['안', '녕'] }));
    const { chunks } = await chatStream(house, { stream_options: { include_usage: true } });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === undefined || chunk.usage === null)).toBe(true);
    const without = await chatStream(house, { stream_options: { include_usage: false } });
    expect(without.chunks.every((chunk) => chunk.choices.length === 1 && !('usage' in chunk))).toBe(true);
  });

  test('delivers each piece before the next is made', async () => {
    covers('chat.stream.as-made');
    let goOn: (() => void) | undefined;
    house.upstream.plays(async (sent) => {
      const events = eventsOf(sent, { text: ['first', 'second', 'third'] });
      const response = openStream(sent);
      for (const event of events) {
        response.write(event);
        if (event.includes('first') || event.includes('second')) await new Promise<void>((resolve) => (goOn = resolve));
      }
      response.end();
    });
    const response = await send(house, CHAT, { body: chatBody({ stream: true }) });
    let text = '';
    const decoder = new TextDecoder();
    if (response.body)
      for await (const bytes of response.body) {
        text += decoder.decode(bytes, { stream: true });
        if (!/first/.test(text)) continue;
        expect(text.includes('second') && !goOn).toBe(false);
        goOn?.();
      }
    expect(text).toMatch(/first[^]*second[^]*third[^]*\[DONE\]/);
  });

  test('does not mind how its model server frames and cuts events', async () => {
    covers('chat.stream.upstream-form', 'chat.stream.joined');
    const script: ReplyScript = { reasoning: ['생각', ' 😀'], text: ['답은 "', '네\\n"', '\n입니다'] };
    const variants: ((sent: UpstreamCall) => string)[] = [
      (sent) => eventsOf(sent, script).join(''),
      (sent) => eventsOf(sent, script).join('').replaceAll('\n\n', '\r\n\r\n'),
      (sent) => `: hello\n\n${eventsOf(sent, script).join(': ping\n\n')}`,
      (sent) =>
        eventsOf(sent, script)
          .map((event) => `event: message\nid: 7\nretry: 10\n${event}`)
          .join(''),
      (sent) => eventsOf(sent, script).join('').replaceAll('data: ', 'data:'),
      (sent) => `\ufeff${eventsOf(sent, script).join('')}`,
    ];
    for (const make of variants) {
      for (const size of [1, 7, 100_000]) {
        house.upstream.plays(
          playPieces((sent) => {
            const bytes = Buffer.from(make(sent));
            return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
              bytes.subarray(i * size, (i + 1) * size),
            );
          }),
        );
        const stream = await chatStream(house, { model: 'CORE-GOV-THINK' });
        expect(stream.done).toBe(true);
        expect(join(stream.chunks)).toMatchObject({
          reasoning_content: '생각 😀',
          content: '답은 "네\\n"\n입니다',
          finish: 'stop',
        });
      }
    }
  });
});

const models: readonly {
  id: string;
  keys: readonly ('reasoning_content' | 'reasoning')[];
  reasons: boolean;
  force?: Record<string, unknown>;
  skip?: Record<string, unknown>;
}[] = [
  { id: 'CORE-GOV-THINK', keys: ['reasoning_content'], reasons: true, skip: { skip_reasoning: true } },
  { id: 'CORE-GOV', keys: ['reasoning_content'], reasons: false, force: { force_reasoning: true } },
  { id: 'CORE-GOV-VLM', keys: ['reasoning_content'], reasons: false, force: { force_reasoning: true } },
  { id: 'CORE-GOV-THINK-V1-32B', keys: ['reasoning', 'reasoning_content'], reasons: true, skip: { thinking: false } },
  { id: 'K-Large-236B', keys: ['reasoning'], reasons: true, skip: { enable_thinking: false } },
  { id: 'LLM42-Open4', keys: ['reasoning'], reasons: true, skip: { enable_thinking: false } },
  { id: 'vendor/gpt-oss-120b', keys: ['reasoning_content'], reasons: true },
  { id: 'LLM42', keys: [], reasons: false },
  { id: 'LLM42-Translate', keys: [], reasons: false },
];

/** A model server that thinks as its template keys say, and else as the model does by default. */
const thinker = (reasons: boolean, keys: ReplyScript['keys']) => (sent: UpstreamCall) => {
  const { force_reasoning, skip_reasoning, thinking, enable_thinking } = sent.json.chat_template_kwargs ?? {};
  const on = force_reasoning === true || thinking === true || enable_thinking === true;
  const off = skip_reasoning === true || thinking === false || enable_thinking === false;
  const thinks = on || (reasons && !off);
  void play({
    text: ['답', '변'],
    ...(thinks ? { reasoning: ['생', '각'], ...(keys === undefined ? {} : { keys }) } : {}),
  })(sent);
};

describe.each(models)('the model $id', ({ id, keys, reasons, force, skip }) => {
  const messageKeys = ['content', ...keys, 'role', 'tool_calls'].toSorted();
  const expectThinking = async (fields: Record<string, unknown>, thinks: boolean) => {
    const { message } = jsonOf(await chat(house, { model: id, ...fields })).choices[0] ?? {};
    expect(sorted(message ?? {})).toEqual(messageKeys);
    expect(message?.content).toBe('답변');
    for (const key of keys) expect(message?.[key]).toBe(thinks ? '생각' : null);
    const { chunks } = await chatStream(house, { model: id, ...fields });
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas.slice(1)).toEqual([
      ...(thinks && keys.length > 0
        ? ['생', '각'].map((piece) => Object.fromEntries(keys.map((key) => [key, piece])))
        : []),
      { content: '답' },
      { content: '변' },
      {},
    ]);
  };

  test('has the reasoning keys of its row, whichever key its server uses', async () => {
    covers(
      'chat.model.CORE-GOV-THINK.key',
      'chat.model.CORE-GOV.key',
      'chat.model.CORE-GOV-VLM.key',
      'chat.model.CORE-GOV-THINK-V1-32B.key',
      'chat.model.K-Large-236B.key',
      'chat.model.LLM42-Open4.key',
      'chat.model.gpt-oss-120b.key',
      'chat.model.gpt-oss-120b.last-chunk',
      'chat.model.LLM42.key',
      'chat.model.LLM42-Translate.key',
      'chat.model.CORE-GOV-THINK.default',
      'chat.model.CORE-GOV.default',
      'chat.model.CORE-GOV-VLM.default',
      'chat.model.CORE-GOV-THINK-V1-32B.default',
      'chat.model.K-Large-236B.default',
      'chat.model.LLM42-Open4.default',
      'chat.model.gpt-oss-120b.default',
      'chat.reasoning.reasoning_content',
      'chat.reasoning.reasoning',
      'chat.reasoning.both-keys',
      'chat.request.neither-force-nor-skip',
      'chat.reply.reasoning-null',
      'chat.stream.delta-keys',
    );
    for (const served of [['reasoning_content'], ['reasoning'], ['reasoning_content', 'reasoning']] as const) {
      house.upstream.plays(thinker(reasons, served));
      await expectThinking({}, reasons);
    }
  });

  test('reasons when it is forced, and does not when it is told not to', async () => {
    covers('chat.request.force_reasoning', 'chat.request.skip_reasoning', 'chat.reply.reasoning-null');
    house.upstream.plays(thinker(reasons, ['reasoning']));
    if (force) await expectThinking({ chat_template_kwargs: force }, true);
    if (skip) await expectThinking({ chat_template_kwargs: skip }, false);
  });
});

test('force_reasoning wins over skip_reasoning', async () => {
  covers('chat.request.force-and-skip');
  for (const model of ['CORE-GOV-THINK', 'CORE-GOV', 'CORE-GOV-VLM', 'CORE-GOV-THINK-V1-32B']) {
    house.upstream.plays(thinker(false, ['reasoning_content']));
    const reply = jsonOf(
      await chat(house, { model, chat_template_kwargs: { force_reasoning: true, skip_reasoning: true } }),
    );
    expect(reply.choices[0]?.message.reasoning_content).toBe('생각');
    expect((house.upstream.calls.at(-1)?.json.chat_template_kwargs ?? {})['skip_reasoning']).not.toBe(true);
  }
});

test("a template key reaches the engine as that engine's own switch", async () => {
  covers('chat.model.switch', 'chat.model.tenth');
  await chat(house, { model: 'house-model', chat_template_kwargs: { quiet: true } });
  expect(house.upstream.one().json.chat_template_kwargs).toEqual({ enable_thinking: false });
  house.upstream.reset();
  await chat(house, { model: 'vendor/gpt-oss-120b', chat_template_kwargs: { reasoning_effort: 'high' } });
  expect(house.upstream.one().json).toMatchObject({ reasoning_effort: 'high' });
  expect(house.upstream.one().json.chat_template_kwargs).toBeUndefined();
});

test('CORE-GOV-THINK has a context of 128K tokens', async () => {
  covers('chat.model.CORE-GOV-THINK.context');
  const reply = await call(house, '/v1/models/CORE-GOV-THINK');
  expect(jsonOf<{ context_length: number }>(reply).context_length).toBe(131_072);
});

describe('reasoning', () => {
  const thinking = '먼저 2를 더한다.\n그리고 확인한다.';
  const content = '답은 4입니다.';
  const expected = { reasoning_content: thinking, content, finish: 'stop' };

  test.each([
    ['in tags', 'thinks-in-tags', `<think>\n${thinking}\n</think>\n\n${content}`],
    ['without the opening tag', 'thinks-openly', `${thinking}\n</think>\n\n${content}`],
    ['with the opening tag in the prompt', 'said-to-think-openly', `${thinking}\n</think>\n\n${content}`],
    [
      'in harmony channels',
      'vendor/gpt-oss-120b',
      `<|channel|>analysis<|message|>${thinking}<|end|><|start|>assistant<|channel|>final<|message|>${content}<|return|>`,
    ],
  ])('%s is found wherever it is cut', async (_name, model, text) => {
    covers(
      'chat.reasoning.tags',
      'chat.reasoning.tags-cut',
      'chat.reasoning.missing-open',
      'chat.reasoning.harmony',
      'chat.reasoning.never-in-content',
      'chat.stream.joined',
    );
    for (const size of [1, 2, 5, 11, 1000]) {
      const { whole, streamed } = await both({ text: pieces(text, size) }, { model });
      expect({
        ...whole,
        reasoning_content: whole.reasoning_content?.trim(),
        content: whole.content.trim(),
      }).toMatchObject(expected);
      expect(streamed).toEqual(whole);
    }
  });

  test('without the opening tag is found in the first stream, before anything is known of the engine', async () => {
    covers('chat.reasoning.missing-open');
    house.upstream.plays(play({ text: pieces(`${thinking}</think>${content}`, 2) }));
    expect(join((await chatStream(house, { model: 'never-seen' })).chunks)).toMatchObject({
      reasoning: thinking,
      content,
    });
  });

  test('is found in the form of each engine of a model', async () => {
    covers('chat.reasoning.missing-open', 'chat.reasoning.never-in-content');
    const field = play({ reasoning: [thinking], text: [content] });
    const open = play({ text: pieces(`${thinking}</think>${content}`, 3) });
    for (const first of [field, answer(500, { error: { message: 'broken' } }), field]) {
      house.upstream.plays((sent) => (sent.json.model === 'first' ? first : open)(sent));
      const stream = await chatStream(house, { model: 'mixed' });
      expect(join(stream.chunks), stream.text).toMatchObject({ reasoning: thinking, content });
    }
  });

  test.each([
    ['reasoning is off', 'CORE-GOV', {}],
    ['it was turned off', 'thinks-though-told-not-to', { chat_template_kwargs: { think: false } }],
    ['the profile says tags', 'said-to-think-in-tags', {}],
  ])('without the opening tag is found where %s', async (_name, model, fields) => {
    covers('chat.reasoning.missing-open', 'chat.reasoning.never-in-content');
    for (const close of ['</think>', '</thought>', '<|im_end|>\n<|im_start|>assistant'])
      for (const size of [1, 7, 1000]) {
        const text = pieces(`${thinking}\n${close}\n\n${content}`, size);
        const { whole, streamed } = await both({ text }, { model, ...fields });
        const reasoning_content = model === 'said-to-think-in-tags' ? thinking : undefined;
        for (const one of [whole, streamed]) expect(one).toMatchObject({ content });
        for (const one of [whole, streamed]) expect(one.reasoning_content).toBe(reasoning_content);
      }
  });

  test('and answers are told apart by each reply, whatever the one before it was', async () => {
    covers('chat.reasoning.missing-open', 'chat.reply.usage');
    const open = { text: pieces(`${thinking}\n</think>\n\n${content}`, 5) };
    const plain = { text: pieces(content, 5) };
    const field = { reasoning: [thinking], text: [content] };
    for (const model of ['changes-its-ways', 'said-to-think-openly'])
      for (const script of [plain, open, field, open, plain, field, plain, open]) {
        const { whole, streamed } = await both(script, { model });
        const reasoning_content = script === plain ? undefined : thinking;
        for (const one of [whole, streamed]) expect(one).toMatchObject({ content, finish: 'stop' });
        for (const one of [whole, streamed]) expect(one.reasoning_content).toBe(reasoning_content);
        const { chunks } = await chatStream(house, { model, stream_options: { include_usage: true } });
        expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 });
      }
  });

  test('in one choice leaves the other choices alone', async () => {
    covers('chat.reasoning.missing-open', 'chat.reply.n');
    const open = { text: pieces(`${thinking}</think>${content}`, 4) };
    const script = { ...open, more: [{ text: [content] }] };
    house.upstream.plays(play(script));
    const { choices } = jsonOf(await chat(house, { model: 'two-choices', n: 2 }));
    const stream = await chatStream(house, { model: 'two-choices', n: 2 });
    for (const [i, reasoning] of [thinking, null].entries()) {
      expect(choices[i]?.message).toMatchObject({ content, reasoning });
      expect(join(stream.chunks, i)).toMatchObject({ content, ...(reasoning === null ? {} : { reasoning }) });
    }
  });

  test('is found after a reply that a stop string ended within its thinking', async () => {
    covers('chat.reasoning.missing-open', 'chat.stop.reasoning');
    const stopped = await both({ text: [thinking], stop: 'END' }, { model: 'stopped-early', stop: 'END' });
    expect(`${stopped.streamed.reasoning ?? ''}${stopped.streamed.content}`).toBe(thinking);
    const { whole, streamed } = await both(
      { text: pieces(`${thinking}</think>${content}`, 3) },
      { model: 'stopped-early' },
    );
    for (const one of [whole, streamed]) expect(one).toMatchObject({ reasoning: thinking, content });
  });

  test('is not looked for in an answer that has begun', async () => {
    covers('chat.reasoning.tag-in-answer');
    const said = 'Write <think> and </think> around thoughts.';
    for (const size of [1, 4, 1000]) {
      const { whole, streamed } = await both(
        { reasoning: [thinking], text: pieces(said, size) },
        { model: 'CORE-GOV-THINK' },
      );
      expect(whole).toMatchObject({ reasoning_content: thinking, content: said });
      expect(streamed).toMatchObject({ reasoning_content: thinking, content: said });
      const tagged = await both(
        { text: pieces(`<think>${thinking}</think>${said}`, size) },
        { model: 'CORE-GOV-THINK' },
      );
      expect(tagged.whole).toMatchObject({ reasoning_content: thinking, content: said });
      expect(tagged.streamed).toMatchObject({ reasoning_content: thinking, content: said });
    }
  });

  test('never shows up in the content of a model without a reasoning key', async () => {
    covers('chat.reasoning.never-in-content');
    for (const size of [1, 6, 1000]) {
      const { whole, streamed } = await both(
        { text: pieces(`<think>${thinking}</think>${content}`, size) },
        { model: 'LLM42' },
      );
      expect(whole.content.trim()).toBe(content);
      expect(streamed.content.trim()).toBe(content);
    }
  });

  test('leaves no control token of the template behind', async () => {
    covers('chat.reasoning.control-tokens', 'chat.request.skip_special_tokens');
    for (const size of [1, 3, 1000]) {
      const { whole, streamed } = await both(
        { text: pieces('안녕하세요<|im_end|><|endoftext|>', size) },
        { model: 'CORE-GOV', skip_special_tokens: false },
      );
      expect(whole.content).toBe('안녕하세요');
      expect(streamed.content).toBe('안녕하세요');
    }
  });
});

describe('tool calls', () => {
  const script: ReplyScript = {
    reasoning: ['도구', '!'],
    tools: [
      { id: 'call_a', name: 'get_weather', arguments: ['{"ci', 'ty":"서', '울"}'] },
      { id: 'call_b', name: 'get_time', arguments: ['{}'] },
    ],
  };
  const deltasOf = async (model: string, headers: Record<string, string> = {}, key = house.key) => {
    house.upstream.plays(play(script));
    const stream = await readStream(
      await send(house, CHAT, { key, headers, body: chatBody({ model, tools, stream: true }) }),
    );
    expect(stream.chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'tool_calls' });
    return stream.chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
  };
  const joinedOf = (deltas: Awaited<ReturnType<typeof deltasOf>>) =>
    [0, 1].map((index) =>
      deltas
        .filter((delta) => delta.index === index)
        .map((delta) => delta.function.arguments)
        .join(''),
    );
  const expectUsual = (deltas: Awaited<ReturnType<typeof deltasOf>>) => {
    const opening = deltas.filter(({ id }) => id !== undefined);
    expect(opening).toEqual([
      { index: 0, id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '' } },
      { index: 1, id: 'call_b', type: 'function', function: { name: 'get_time', arguments: '' } },
    ]);
    expect(deltas[0]).toBe(opening[0]);
    expect(joinedOf(deltas)).toEqual(['{"city":"서울"}', '{}']);
    for (const delta of deltas) if (delta.id === undefined) expect(sorted(delta)).toEqual(['function', 'index']);
  };
  const expectArguments = (deltas: Awaited<ReturnType<typeof deltasOf>>) => {
    for (const delta of deltas) {
      expect(sorted(delta)).toEqual(['function', 'index']);
      expect(sorted(delta.function)).toEqual(['arguments']);
    }
    expect(joinedOf(deltas)).toEqual(['{"city":"서울"}', '{}']);
  };

  test('of a whole reply have id, type, name and arguments, and content is null', async () => {
    covers(
      'chat.tools.whole',
      'chat.reply.tool_calls.item',
      'chat.reply.content-null',
      'chat.reply.content-with-tools',
      'chat.tools.parallel',
      'chat.reply.finish.tool_calls',
    );
    for (const model of ['CORE-GOV-THINK', 'K-Large-236B']) {
      house.upstream.plays(play(script));
      const [choice] = jsonOf(await chat(house, { model, tools })).choices;
      expect(choice?.message).toMatchObject({
        content: null,
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"서울"}' } },
          { id: 'call_b', type: 'function', function: { name: 'get_time', arguments: '{}' } },
        ],
      });
      expect(choice?.finish_reason).toBe('tool_calls');
    }
    house.upstream.plays(play({ ...script, text: '찾아볼게요' }));
    expect(jsonOf(await chat(house, { tools })).choices[0]?.message).toMatchObject({
      content: '찾아볼게요',
      tool_calls: [{}, {}],
    });
  });

  test.each([
    [
      'Hermes',
      '<tool_call>\n{"name": "get_weather", "arguments": {"city":"서울"}}\n</tool_call>\n<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>',
    ],
    [
      'Qwen XML',
      '<tool_call>\n<function=get_weather>\n<parameter=city>\n서울\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=get_time>\n</function>\n</tool_call>',
    ],
    ['Llama JSON', '{"name": "get_weather", "parameters": {"city":"서울"}}; {"name": "get_time", "parameters": {}}'],
    ['Mistral', '[TOOL_CALLS]get_weather[ARGS]{"city":"서울"}[TOOL_CALLS]get_time[ARGS]{}'],
    [
      'Mistral list',
      '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city":"서울"}}, {"name": "get_time", "arguments": {}}]',
    ],
    [
      'Harmony',
      '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"서울"}<|call|><|start|>assistant<|channel|>commentary to=functions.get_time <|constrain|>json<|message|>{}<|call|>',
    ],
  ])('that a server left in its text are calls, after thinking too: %s', async (form, text) => {
    covers('chat.tools.whole', 'chat.tools.stream', 'chat.tools.stream.think', 'chat.tools.parallel');
    const calls = [
      { name: 'get_weather', arguments: '{"city":"서울"}' },
      { name: 'get_time', arguments: '{}' },
    ];
    const thoughts =
      form === 'Harmony'
        ? ['<|channel|>analysis<|message|>음<|end|><|start|>assistant']
        : ['', '음\n</think>\n\n', '<think>음</think>\n'];
    for (const model of ['CORE-GOV-THINK', 'think-openai'])
      for (const thought of thoughts)
        for (const size of [1, 9, 1000]) {
          const { whole, streamed } = await both({ text: pieces(thought + text, size) }, { model, tools });
          expect(whole).toMatchObject({ content: '', tools: calls, finish: 'tool_calls' });
          expect(whole.reasoning_content).toBe(thought === '' ? undefined : '음');
          const named = model === 'think-openai' ? calls : calls.map((one) => ({ arguments: one.arguments }));
          expect(streamed).toMatchObject({ content: '', tools: named, finish: 'tool_calls' });
          expect(streamed.reasoning_content).toBe(whole.reasoning_content);
        }
  });

  test('are text where the request has no tools, or wants none called, and where they are broken', async () => {
    covers('chat.tools.whole');
    const text = '<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>';
    const broken = '네. <tool_call>\n{"name": "get_time", "argu';
    for (const [said, fields] of [
      [text, {}],
      [text, { tools, tool_choice: 'none' }],
      [broken, { tools }],
    ] as const)
      for (const size of [1, 1000]) {
        const { whole, streamed } = await both({ text: pieces(said, size) }, { model: 'LLM42', ...fields });
        for (const one of [whole, streamed]) expect(one).toMatchObject({ content: said, tools: [], finish: 'stop' });
      }
  });

  test('in a stream open with id and name', async () => {
    covers('chat.tools.stream', 'chat.tools.parallel');
    for (const model of [
      'CORE-GOV',
      'CORE-GOV-VLM',
      'CORE-GOV-THINK-V1-32B',
      'K-Large-236B',
      'LLM42',
      'vendor/gpt-oss-120b',
    ])
      expectUsual(await deltasOf(model));
  });

  test('of CORE-GOV-THINK carry arguments only', async () => {
    covers('chat.tools.stream.think', 'chat.tools.parallel');
    expectArguments(await deltasOf('CORE-GOV-THINK'));
  });

  test('of CORE-GOV-THINK open as usual when the request, the model or the key says so', async () => {
    covers('chat.tools.stream.header', 'chat.tools.stream.model-switch', 'chat.tools.stream.key-switch');
    expectUsual(await deltasOf('CORE-GOV-THINK', { 'x-tool-stream': 'openai' }));
    expectUsual(await deltasOf('think-openai'));
    expectArguments(await deltasOf('arguments-only'));
    const { value } = await makeKey(house, { toolStream: 'openai' });
    expectUsual(await deltasOf('CORE-GOV-THINK', {}, value));
  });
});

describe('stop strings', () => {
  test('end a reply wherever they are cut, and are not part of it', async () => {
    covers(
      'chat.request.stop.string',
      'chat.request.stop.array',
      'chat.stop.held-back',
      'chat.stop.whole',
      'chat.reply.stop_reason',
    );
    for (const stop of ['끝입니다', ['없음', '끝입니다']]) {
      for (const size of [1, 2, 3, 1000]) {
        const { whole, streamed } = await both({ text: pieces('하나 둘 끝입니다 셋 넷', size) }, { stop });
        expect(whole).toMatchObject({ content: '하나 둘 ', finish: 'stop', stop: '끝입니다' });
        expect(streamed).toMatchObject({ content: '하나 둘 ', finish: 'stop', stop: '끝입니다' });
      }
    }
  });

  test('that the model server cut itself are named', async () => {
    covers('chat.reply.stop_reason', 'chat.reply.stop_reason.null');
    const { whole, streamed } = await both({ text: ['하나 '], stop: '둘' }, { stop: ['둘'] });
    expect(whole).toMatchObject({ content: '하나 ', stop: '둘' });
    expect(streamed).toMatchObject({ content: '하나 ', stop: '둘' });
    expect((await both({ text: 'a', stop: 128_009 }, { stop: 'b' })).whole.stop).toBeNull();
  });

  test('of a whole reply are named where the model server keeps silent on them', async () => {
    covers('chat.reply.stop_reason', 'chat.stop.whole');
    const quiet = await openHouse({ engine: { dialect: 'llama-server' } });
    quiet.upstream.plays(play({ text: pieces('하나 둘 끝입니다 셋 넷', 3) }));
    const { choices, usage } = jsonOf(await chat(quiet, { stop: ['끝입니다', '넷'] }));
    expect(choices[0]).toMatchObject({
      message: { content: '하나 둘 ' },
      finish_reason: 'stop',
      stop_reason: '끝입니다',
    });
    expect(usage.completion_tokens).toBeGreaterThan(0);
    expect(quiet.upstream.calls.at(-1)?.json).toMatchObject({ stream: true });
    quiet.upstream.plays(play({ text: 'all of it' }));
    expect(jsonOf(await chat(quiet, { stop: 'x' })).choices[0]).toMatchObject({
      finish_reason: 'stop',
      stop_reason: null,
    });
    await quiet.close();
  });

  test('that only began are delivered', async () => {
    covers('chat.stop.not-a-stop');
    for (const size of [1, 2, 1000]) {
      const { whole, streamed } = await both({ text: pieces('aSTOaST', size) }, { stop: 'STOP' });
      expect(whole).toMatchObject({ content: 'aSTOaST', finish: 'stop', stop: null });
      expect(streamed).toMatchObject({ content: 'aSTOaST', finish: 'stop', stop: null });
    }
  });

  test('with reasoning leave the reasoning whole', async () => {
    covers('chat.stop.reasoning');
    const { whole, streamed } = await both(
      { text: pieces('<think>생각</think>하나END둘', 2) },
      { model: 'CORE-GOV-THINK', stop: 'END' },
    );
    for (const one of [whole, streamed])
      expect(one).toMatchObject({ reasoning_content: '생각', content: '하나', stop: 'END' });
  });
});

test('an empty answer is an empty string and a finished stream', async () => {
  covers('chat.reply.content', 'chat.stream.done');
  house.upstream.plays((sent) =>
    sent.json.stream === true
      ? void openStream(sent).end(
          `${sse({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`,
        )
      : play({ text: '' })(sent),
  );
  expect(jsonOf(await chat(house)).choices[0]?.message.content).toBe('');
  const stream = await chatStream(house);
  expect(stream.done).toBe(true);
  expect(stream.chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
});
