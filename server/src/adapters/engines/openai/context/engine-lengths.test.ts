import { afterEach, describe, expect, it } from 'vitest';
import { type Behaviour, type ModelServerOptions, startModelServer } from '../../../../../test/fakes/model-server.ts';
import { eventually } from '../../../../../test/support/eventually.ts';
import { silent } from '../../../../../test/support/silent-log.ts';
import type { ChatBody, ChatEvent, PromptEstimate } from '../../../../ports/engine.ts';
import type { Dialect } from '../dialects.ts';
import { createOpenAiEngine } from '../index.ts';

// Pages and refusals in the documented forms of each server; see the sources in length-pages.ts and refusal.ts.

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function openEngine(dialect: Dialect | 'auto', options: ModelServerOptions = {}) {
  const fake = await startModelServer({ models: ['m'], ...options });
  const engine = createOpenAiEngine({ id: 'gpu/0', baseUrl: fake.url, dialect, log: silent });
  open.push(engine, fake);
  return { fake, engine };
}

const signal = new AbortController().signal;
const list = (...data: object[]) => ({ '/v1/models': { object: 'list', data } });

describe('the length of a model', () => {
  it.each<[string, Dialect, Record<string, unknown>, number]>([
    ['vLLM: its list', 'vllm', list({ id: 'm', owned_by: 'vllm', max_model_len: 40_960 }), 40_960],
    ['SGLang: its list', 'sglang', list({ id: 'm', owned_by: 'sglang', max_model_len: 16_384 }), 16_384],
    [
      'SGLang before it listed them: its arguments',
      'sglang',
      { ...list({ id: 'm', owned_by: 'sglang' }), '/get_server_info': { model_path: 'x', context_length: 8192 } },
      8192,
    ],
    [
      'llama-server: a slot, not what the model was trained for',
      'llama-server',
      {
        ...list({ id: 'm', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072, n_params: 1 } }),
        '/props': { default_generation_settings: { n_ctx: 4096 }, total_slots: 4 },
      },
      4096,
    ],
    [
      'llama-server without its page: what the model was trained for',
      'llama-server',
      list({ id: 'm', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }),
      131_072,
    ],
    [
      'Ollama: as it is loaded',
      'ollama',
      { ...list({ id: 'm', owned_by: 'library' }), '/api/ps': { models: [{ name: 'm', context_length: 16_384 }] } },
      16_384,
    ],
    [
      'LM Studio: as it is loaded',
      'lmstudio',
      {
        ...list({ id: 'm', owned_by: 'organization_owner' }),
        '/api/v0/models': {
          data: [{ id: 'm', state: 'loaded', max_context_length: 32_768, loaded_context_length: 4096 }],
        },
      },
      4096,
    ],
    [
      'LM Studio: what it may be loaded with',
      'lmstudio',
      {
        ...list({ id: 'm', owned_by: 'organization_owner' }),
        '/api/v0/models': { data: [{ id: 'm', state: 'not-loaded', max_context_length: 32_768 }] },
      },
      32_768,
    ],
    [
      'Text Generation Inference: its page',
      'tgi',
      { ...list({ id: 'm' }), '/info': { model_id: 'm', max_total_tokens: 2048, max_input_tokens: 1024 } },
      2048,
    ],
  ])('is learned of %s', async (_name, dialect, pages, tokens) => {
    const { engine } = await openEngine(dialect, { pages });
    expect(engine.contextLength?.('m')).toBeNull();
    await eventually(() => expect(engine.contextLength?.('m')).toBe(tokens));
    expect(await engine.models(signal)).toEqual([{ name: 'm', contextLength: tokens }]);
  });

  it.each<[string, Dialect, Record<string, unknown>, { images: boolean; audio: boolean } | null]>([
    ['vLLM does not say', 'vllm', list({ id: 'm', owned_by: 'vllm', max_model_len: 8192 }), null],
    [
      'llama-server with a projector',
      'llama-server',
      { ...list({ id: 'm', owned_by: 'llamacpp' }), '/props': { modalities: { vision: true, audio: true } } },
      { images: true, audio: true },
    ],
    [
      'llama-server without one',
      'llama-server',
      { ...list({ id: 'm', owned_by: 'llamacpp' }), '/props': { modalities: { vision: false, audio: false } } },
      { images: false, audio: false },
    ],
    [
      'an older llama-server does not say',
      'llama-server',
      { ...list({ id: 'm', owned_by: 'llamacpp' }), '/props': { total_slots: 1 } },
      null,
    ],
    [
      'SGLang',
      'sglang',
      {
        ...list({ id: 'm', owned_by: 'sglang', max_model_len: 8192 }),
        '/get_model_info': { model_path: 'x', has_image_understanding: true, has_audio_understanding: false },
      },
      { images: true, audio: false },
    ],
    [
      'SGLang with the new page alone',
      'sglang',
      {
        ...list({ id: 'm', owned_by: 'sglang', max_model_len: 8192 }),
        '/model_info': { model_path: 'x', has_image_understanding: false, has_audio_understanding: true },
      },
      { images: false, audio: true },
    ],
    [
      'LM Studio: of a model that sees',
      'lmstudio',
      { ...list({ id: 'm' }), '/api/v0/models': { data: [{ id: 'm', type: 'vlm', max_context_length: 4096 }] } },
      { images: true, audio: false },
    ],
    [
      'LM Studio: of one that does not',
      'lmstudio',
      { ...list({ id: 'm' }), '/api/v0/models': { data: [{ id: 'm', type: 'llm', max_context_length: 4096 }] } },
      { images: false, audio: false },
    ],
  ])('and what its messages may hold: %s', async (_name, dialect, pages, inputs) => {
    const { engine } = await openEngine(dialect, { pages });
    const [model] = await engine.models(signal);
    expect(model?.inputs ?? null).toEqual(inputs);
    expect(engine.inputs?.('m')).toBeNull();
    await eventually(() => expect(engine.inputs?.('m')).toEqual(inputs));
  });

  it('and what its messages may hold: Ollama, also of a model that is loaded', async () => {
    const pages = {
      ...list({ id: 'm:latest', owned_by: 'library' }),
      '/api/ps': { models: [{ name: 'm:latest', context_length: 4096 }] },
    };
    const { engine, fake } = await openEngine('ollama', { pages });
    fake.always({ do: 'reply', body: { capabilities: ['completion', 'vision', 'tools'], model_info: {} } });
    engine.inputs?.('m');
    await eventually(() => expect(engine.inputs?.('m')).toEqual({ images: true, audio: false }));
    expect(engine.contextLength?.('m')).toBe(4096);
  });

  it.each([
    [
      {
        parameters: 'stop "<|im_end|>"\nnum_ctx                        8192',
        model_info: { 'qwen3.context_length': 40_960 },
      },
      8192,
    ],
    [{ parameters: 'temperature 1', model_info: { 'qwen3.context_length': 40_960 } }, 40_960],
  ])('is learned of Ollama by asking for the model: %o', async (shown, tokens) => {
    const pages = { ...list({ id: 'm:latest', owned_by: 'library' }), '/api/ps': { models: [] } };
    const { engine, fake } = await openEngine('ollama', { pages });
    fake.always({ do: 'reply', body: shown });
    engine.contextLength?.('m');
    await eventually(() => expect(engine.contextLength?.('m')).toBe(tokens));
    expect(fake.requests[0]).toMatchObject({ path: '/api/show', json: { model: 'm:latest' } });
  });

  it('is that of all models where they have the same, also under names that the list lacks', async () => {
    const same = list({ id: 'a', max_model_len: 8192 }, { id: 'b', max_model_len: 8192 }, { id: 'adapter' });
    const { engine } = await openEngine('vllm', { pages: same });
    engine.contextLength?.('adapter');
    await eventually(() => expect(engine.contextLength?.('adapter')).toBe(8192));
    const { engine: other } = await openEngine('vllm', {
      pages: list({ id: 'a', max_model_len: 8192 }, { id: 'b', max_model_len: 4096 }),
    });
    other.contextLength?.('a');
    await eventually(() => expect(other.contextLength?.('b')).toBe(4096));
    expect(other.contextLength?.('c')).toBeNull();
  });

  it('stays unknown while the server is away, and nobody waits for it', async () => {
    const { engine, fake } = await openEngine('vllm');
    await fake.refuse();
    expect(engine.contextLength?.('m')).toBeNull();
    expect(engine.contextLength?.('m')).toBeNull();
  });
});

const short: PromptEstimate = { bytes: 400, low: 10, likely: 100, high: 200, hasImages: false };

function ask(engine: ReturnType<typeof createOpenAiEngine>, max_tokens: number | null, estimate?: PromptEstimate) {
  const request = {
    messages: [{ role: 'user' as const, content: 'Hello' }],
    ...(max_tokens === null ? {} : { max_tokens }),
  };
  const body: ChatBody = {
    request,
    peek: (field) => (request as Record<string, unknown>)[field],
    encode: (edits) => [Buffer.from(JSON.stringify({ ...request, ...edits }))],
  };
  const { promise, resolve } = Promise.withResolvers<ChatEvent[]>();
  const events: ChatEvent[] = [];
  const call = { requestId: 'r', model: 'm', body, thinking: null, maxTokens: max_tokens, contextLength: 131_072 };
  engine.chat?.({ ...call, stream: true, promptEstimate: estimate }, (event) => {
    events.push(event);
    if (event.type === 'end' || event.type === 'error') resolve(events);
  });
  return promise;
}

const refuses = (message: string, status = 400, more: object = {}): Behaviour => ({
  do: 'reply',
  status,
  body: { error: { message, type: 'BadRequestError', param: null, code: status, ...more } },
});
const sglang =
  "Requested token count exceeds the model's maximum context length of 16384 tokens. You requested a total of 32788 tokens: 20 tokens from the input messages and 32768 tokens for the completion.";

describe('a request without max_tokens that is refused', () => {
  it.each<[string, Dialect, Behaviour, number | undefined]>([
    [
      'vLLM of 2026',
      'vllm',
      refuses(
        "This model's maximum context length is 32768 tokens. However, you requested 32768 output tokens and your prompt contains at least 1 input tokens, for a total of at least 32769 tokens.",
      ),
      undefined,
    ],
    [
      'vLLM 0.11',
      'vllm',
      refuses(
        "'max_tokens' or 'max_completion_tokens' is too large: 32768. This model's maximum context length is 32768 tokens and your request has 12 input tokens (32768 > 32768 - 12).",
      ),
      32_756,
    ],
    ['SGLang', 'sglang', refuses(sglang), 16_364],
    [
      'SGLang within the stream',
      'sglang',
      {
        do: 'stream',
        body: `data: ${JSON.stringify({ error: { object: 'error', message: sglang, type: 'BadRequestError', code: 400 } })}\n\ndata: [DONE]\n\n`,
      },
      16_364,
    ],
    [
      'Text Generation Inference',
      'tgi',
      {
        do: 'reply',
        status: 422,
        body: {
          error:
            'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 1000 `inputs` tokens and 32768 `max_new_tokens`',
          error_type: 'validation',
        },
      },
      3096,
    ],
    [
      'a hosted service with a limit of its own',
      'unknown',
      refuses(
        'max_tokens is too large: 32768. This model supports at most 16384 completion tokens, whereas you provided 32768.',
      ),
      16_384,
    ],
  ])('by %s is sent once more with what is left', async (_name, dialect, refusal, left) => {
    const { engine, fake } = await openEngine(dialect, { pages: list() });
    fake.next(refusal);
    expect((await ask(engine, 32_768, short)).at(-1)?.type).toBe('end');
    expect(fake.requests.map(({ json }) => json['max_tokens'])).toEqual([32_768, left]);
    // It is known from then on.
    expect((await ask(engine, 32_768, short)).at(-1)?.type).toBe('end');
    expect(fake.requests).toHaveLength(3);
    const sent = fake.requests[2]?.json['max_tokens'] as number | undefined;
    expect(sent ?? 0).toBeLessThanOrEqual(32_768);
    if (sent !== undefined) expect(sent).toBeLessThan(32_768);
  });

  it('twice is an error with what the server said', async () => {
    const { engine, fake } = await openEngine('sglang', { pages: list() });
    fake.always(refuses(sglang));
    expect((await ask(engine, 32_768, short)).at(-1)).toMatchObject({
      type: 'error',
      error: { kind: 'refused', param: 'max_tokens' },
    });
    expect(fake.requests).toHaveLength(2);
  });

  it('for its prompt alone is not sent again, nor one whose caller set the limit', async () => {
    const { engine, fake } = await openEngine('vllm', { pages: list() });
    fake.next(refuses("The input (40000 tokens) is longer than the model's context length (32768 tokens)."));
    expect((await ask(engine, 32_768, short)).at(-1)).toMatchObject({ type: 'error', error: { param: 'messages' } });
    expect(fake.requests).toHaveLength(1);
    fake.next(refuses(sglang));
    expect((await ask(engine, 32_768)).at(-1)).toMatchObject({ type: 'error', error: { param: 'max_tokens' } });
    expect(fake.requests).toHaveLength(2);
  });

  it('teaches nothing to a server that says its length: it is asked again', async () => {
    const { engine, fake } = await openEngine('vllm', { pages: list({ id: 'm', max_model_len: 40_960 }) });
    engine.contextLength?.('m');
    await eventually(() => expect(engine.contextLength?.('m')).toBe(40_960));
    fake.next(refuses("This model's maximum context length is 100 tokens. However, your request has 50 input tokens."));
    await ask(engine, 32_768, short);
    expect(engine.contextLength?.('m')).toBe(40_960);
  });
});

describe('a prompt that is counted', () => {
  const between: PromptEstimate = { bytes: 80_000, low: 5000, likely: 10_000, high: 21_000, hasImages: false };
  const pages = list({ id: 'm', owned_by: 'vllm', max_model_len: 40_960 });

  async function openCounting(count: Behaviour, dialect: Dialect = 'vllm') {
    const opened = await openEngine(dialect, { pages });
    opened.engine.contextLength?.('m');
    await eventually(() => expect(opened.engine.contextLength?.('m')).toBe(40_960));
    opened.fake.next(count);
    return opened;
  }

  it('is sent with what is left', async () => {
    const { engine, fake } = await openCounting({
      do: 'reply',
      body: { count: 9000, max_model_len: 40_960, tokens: [] },
    });
    expect((await ask(engine, 32_768, between)).at(-1)?.type).toBe('end');
    expect(fake.requests.map(({ path, json }) => [path, json['max_tokens']])).toEqual([
      ['/tokenize', undefined],
      ['/v1/chat/completions', 31_960],
    ]);
    expect(fake.requests[0]?.json).toMatchObject({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] });
  });

  it.each<[string, Dialect, readonly [string, object][]]>([
    [
      'llama-server',
      'llama-server',
      [
        ['/apply-template', { prompt: '<|user|>Hello' }],
        ['/tokenize', { tokens: Array.from({ length: 9000 }, (_, i) => i) }],
      ],
    ],
    [
      'Text Generation Inference',
      'tgi',
      [
        [
          '/chat_tokenize',
          { tokenize_response: Array.from({ length: 9000 }, (_, id) => ({ id })), templated_text: '' },
        ],
      ],
    ],
  ])('is sent with what is left to %s, too', async (_name, dialect, answers) => {
    const [[, first], ...others] = answers as [[string, object], ...[string, object][]];
    const { engine, fake } = await openCounting({ do: 'reply', body: first }, dialect);
    for (const [, body] of others) fake.next({ do: 'reply', body });
    expect((await ask(engine, 32_768, between)).at(-1)?.type).toBe('end');
    expect(fake.requests.map(({ path }) => path)).toEqual([...answers.map(([path]) => path), '/v1/chat/completions']);
    expect(fake.requests.at(-1)?.json['max_tokens']).toBe(31_960);
  });

  it('is estimated, by a margin, where Text Generation Inference cannot count it', async () => {
    const { engine, fake } = await openCounting({ do: 'reply', status: 404, body: { error: 'No tokenizer' } }, 'tgi');
    expect((await ask(engine, 32_768, between)).at(-1)?.type).toBe('end');
    expect(fake.requests.at(-1)?.json['max_tokens']).toBe(40_960 - 11_500);
  });

  it('is not sent where nothing is left', async () => {
    const { engine, fake } = await openCounting({ do: 'reply', body: { count: 41_000 } });
    expect((await ask(engine, 32_768, between)).at(-1)).toMatchObject({
      type: 'error',
      error: {
        kind: 'refused',
        param: 'messages',
        detail:
          "This model's maximum context length is 40960 tokens. However, your messages have 41000 tokens; shorten them",
      },
    });
    expect(fake.requests).toHaveLength(1);
  });

  it('is tried by a server that has no tokenizer, which is not asked again', async () => {
    const { engine, fake } = await openCounting({ do: 'reply', status: 404, body: { detail: 'Not Found' } });
    expect((await ask(engine, 32_768, between)).at(-1)?.type).toBe('end');
    await ask(engine, 32_768, between);
    expect(fake.requests.map(({ path, json }) => [path, json['max_tokens']])).toEqual([
      ['/tokenize', undefined],
      ['/v1/chat/completions', 32_768],
      ['/v1/chat/completions', 32_768],
    ]);
  });

  it('is not sent once its caller has gone', async () => {
    const { engine, fake } = await openCounting({ do: 'hang', before: 'headers' });
    const asked = fake.nextRequest();
    const request = { messages: [] };
    const body: ChatBody = { request, peek: () => undefined, encode: () => '{}' };
    const call = { requestId: 'r', model: 'm', body, thinking: null, maxTokens: 32_768, contextLength: 131_072 };
    const events: ChatEvent[] = [];
    const run = engine.chat?.({ ...call, stream: true, promptEstimate: between }, (event) => events.push(event));
    const counting = await asked;
    run?.abort();
    await counting.aborted;
    expect(fake.requests).toHaveLength(1);
    expect(events).toEqual([]);
  });
});
