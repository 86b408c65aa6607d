import { describe, expect, it } from 'vitest';
import { parseServerError, statusFailure } from '../failures.ts';

const call = { engineId: 'gpu/0', model: 'm' };

/** Bodies of refusals, in the documented or published forms of the servers that are named. */
const refusals: readonly (readonly [server: string, status: number, body: object, means: object])[] = [
  [
    'vLLM to 0.10',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 32768 tokens. However, you requested 40960 tokens (8192 in the messages, 32768 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    { contextLength: 32_768, promptTokens: 8192, isExact: true, completionTokens: 32_768 },
  ],
  [
    'vLLM 0.11, the reply',
    400,
    {
      error: {
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 32768. This model's maximum context length is 32768 tokens and your request has 12 input tokens (32768 > 32768 - 12). None",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
    { contextLength: 32_768, promptTokens: 12, isExact: true, completionTokens: 32_768 },
  ],
  [
    'vLLM 0.11, the prompt',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. Please reduce the length of the input messages. None",
        type: 'BadRequestError',
      },
    },
    { contextLength: 4096, promptTokens: 5000, isExact: true, completionTokens: null },
  ],
  [
    'vLLM of 2026, which stops to count',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 40960 tokens. However, you requested 32768 output tokens and your prompt contains at least 8193 input tokens, for a total of at least 40961 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=8193)",
        type: 'BadRequestError',
        param: 'input_tokens',
        code: 400,
      },
    },
    { contextLength: 40_960, promptTokens: 8193, isExact: false, completionTokens: 32_768 },
  ],
  [
    'vLLM, between them',
    400,
    {
      error: {
        message:
          "You passed 98305 input tokens and requested 32768 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 98304 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=98305)",
      },
    },
    { contextLength: 131_072, promptTokens: 98_305, isExact: false, completionTokens: 32_768 },
  ],
  [
    'vLLM, max_tokens alone',
    400,
    { error: { message: 'max_tokens=140000 cannot be greater than max_model_len=max_total_tokens=131072' } },
    { contextLength: 131_072, promptTokens: null, completionTokens: 140_000 },
  ],
  [
    'SGLang',
    400,
    {
      object: 'error',
      message:
        "Requested token count exceeds the model's maximum context length of 16384 tokens. You requested a total of 17964 tokens: 1580 tokens from the input messages and 16384 tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    { contextLength: 16_384, promptTokens: 1580, isExact: true, completionTokens: 16_384 },
  ],
  [
    'SGLang, the prompt',
    400,
    {
      object: 'error',
      message: "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
      type: 'BadRequestError',
      code: 400,
    },
    { contextLength: 4096, promptTokens: 5000, isExact: true },
  ],
  [
    'llama-server',
    400,
    {
      error: {
        code: 400,
        message: 'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
    },
    { contextLength: 4096, promptTokens: 5000, isExact: true },
  ],
  [
    'llama-server of 2025',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
    },
    { contextLength: 4096, promptTokens: 5000, isExact: true },
  ],
  [
    'Ollama',
    400,
    { error: 'prompt too long; exceeded max context length by 4 tokens' },
    { contextLength: null, promptTokens: null },
  ],
  [
    'LM Studio',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 4166>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    },
    { contextLength: 4096, promptTokens: 4166, isExact: false },
  ],
  [
    'Text Generation Inference',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 1000 `inputs` tokens and 4000 `max_new_tokens`',
      error_type: 'validation',
    },
    { contextLength: 4096, promptTokens: 1000, isExact: true, completionTokens: 4000 },
  ],
  [
    'Mistral API',
    400,
    {
      object: 'error',
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
    },
    { contextLength: 32_768, promptTokens: 40_000 },
  ],
  [
    'OpenAI API, the prompt',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    { contextLength: 8192, promptTokens: 9000 },
  ],
  [
    'OpenAI API, the reply',
    400,
    {
      error: {
        message:
          'max_tokens is too large: 32768. This model supports at most 16384 completion tokens, whereas you provided 32768.',
        type: 'invalid_request_error',
        param: 'max_tokens',
        code: 'invalid_value',
      },
    },
    { maxCompletionTokens: 16_384 },
  ],
  [
    'DeepSeek API, the reply',
    400,
    { error: { message: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', code: 'x' } },
    { maxCompletionTokens: 8192 },
  ],
  [
    'vLLM, of the prompt alone',
    400,
    { error: { message: "Input length (265330) exceeds model's maximum context length (32768).", code: 400 } },
    { contextLength: 32_768, promptTokens: 265_330, isExact: true, completionTokens: null },
  ],
  [
    'SGLang, the longest prompt',
    400,
    { error: { message: 'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.', code: 400 } },
    { contextLength: 131_040, promptTokens: 131_393, isExact: true, completionTokens: null },
  ],
  [
    'xAI API',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    { contextLength: 131_072, promptTokens: 537_812, isExact: true },
  ],
  [
    'Anthropic API',
    400,
    { error: { type: 'invalid_request_error', message: 'prompt is too long: 213462 tokens > 200000 maximum' } },
    { contextLength: 200_000, promptTokens: 213_462, isExact: true },
  ],
  [
    'OpenRouter',
    400,
    {
      error: {
        message:
          "This endpoint's maximum context length is 32768 tokens. However, you requested about 50000 tokens (48000 of text input, 2000 in the output). Please reduce the length of either one, or use the context-compression plugin.",
        code: 400,
      },
    },
    { contextLength: 32_768, promptTokens: 48_000, isExact: false, completionTokens: 2000 },
  ],
  [
    'OpenRouter, with tools',
    400,
    {
      error: {
        message:
          "This endpoint's maximum context length is 32768 tokens. However, you requested about 50000 tokens (18000 of text input, 4000 of tool input, 28000 in the output).",
        code: 400,
      },
    },
    { contextLength: 32_768, promptTokens: 18_000, isExact: false, completionTokens: 28_000 },
  ],
  [
    'OpenRouter, in other words',
    400,
    { error: { message: "This endpoint's maximum context length is 32768 tokens. However, you requested more." } },
    { contextLength: 32_768, promptTokens: null },
  ],
  [
    'Gemini API, in a list',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    { contextLength: 1_048_576, promptTokens: 1_200_000, isExact: true },
  ],
  [
    'a proxy before any of them',
    400,
    {
      error: {
        message:
          "litellm.BadRequestError: OpenAIException - This model's maximum context length is 8192 tokens. However, you requested 64 output tokens and your prompt contains 10000 input tokens, for a total of 10064 tokens.",
      },
    },
    { contextLength: 8192, promptTokens: 10_000, isExact: true, completionTokens: 64 },
  ],
];

describe('a refusal for its length', () => {
  it.each(refusals)('of %s is read', (_server, status, body, means) => {
    const error = statusFailure(call, status, parseServerError(JSON.stringify(body)), null);
    expect(error).toMatchObject({ kind: 'refused', status: 400, context: means });
    if (error.context?.contextLength)
      expect(error.detail).toContain(`maximum context length is ${error.context.contextLength} tokens`);
    expect(error.detail).not.toBe('');
  });

  it('that is for another thing keeps its reason, also in a list', () => {
    const body = [{ error: { code: 400, message: 'Unable to submit request', status: 'INVALID_ARGUMENT' } }];
    expect(statusFailure(call, 400, parseServerError(JSON.stringify(body)), null)).toMatchObject({
      kind: 'refused',
      detail: 'Unable to submit request',
      context: null,
    });
    expect(parseServerError('[]')).toBeNull();
  });

  it('names both numbers, and the field that is to blame', () => {
    const of = (message: string) => {
      const { detail, param } = statusFailure(
        call,
        400,
        parseServerError(JSON.stringify({ error: { message } })),
        null,
      );
      return { detail, param };
    };
    expect(
      of("This model's maximum context length is 100 tokens. However, your request has 150 input tokens."),
    ).toEqual({
      param: 'messages',
      detail: "This model's maximum context length is 100 tokens. However, your messages have 150 tokens; shorten them",
    });
    expect(
      of(
        "This model's maximum context length is 100 tokens. However, you requested 60 output tokens and your prompt contains at least 41 input tokens, for a total of at least 101 tokens.",
      ),
    ).toEqual({
      param: 'max_tokens',
      detail:
        "This model's maximum context length is 100 tokens. However, you requested at least 101 tokens (41 in the messages, 60 in the completion); shorten the messages or max_tokens",
    });
  });

  it('of an answer that is longer than the context alone blames max_tokens', () => {
    const message = 'max_tokens=5000 cannot be greater than max_model_len=max_total_tokens=4096';
    expect(statusFailure(call, 400, parseServerError(JSON.stringify({ error: { message } })), null)).toMatchObject({
      param: 'max_tokens',
      detail:
        "This model's maximum context length is 4096 tokens. However, you requested 5000 in the completion; lower max_tokens",
    });
  });

  it('teaches nothing where a caller wrote it, or of another status', () => {
    const words = "This model's maximum context length is 5 tokens. However, your request has 9 input tokens.";
    for (const message of [`Invalid grammar: "${words}"`, `1 validation error: input_value='${words}'`, 'Bad request'])
      expect(
        statusFailure(call, 400, parseServerError(JSON.stringify({ error: { message } })), null).context,
      ).toBeNull();
    const busy = parseServerError(JSON.stringify({ error: { message: words } }));
    for (const status of [401, 429, 503]) expect(statusFailure(call, status, busy, null).context).toBeNull();
  });
});
