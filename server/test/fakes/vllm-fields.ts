// What vLLM checks of the fields of a chat request, in its own words. Sources: docs.vllm.ai, "OpenAI-Compatible Server" and
// "SamplingParams"; the validators of `ChatCompletionRequest` (entrypoints/openai/chat_completion/protocol.py) and of `SamplingParams`.

/** A refusal as it goes over the wire. */
export interface VllmRefusal {
  readonly status: number;
  readonly body: object;
}

export type Fields = Readonly<Record<string, unknown>>;

export function refusal(
  message: string,
  param: string | null = null,
  status = 400,
  type = 'BadRequestError',
): VllmRefusal {
  return { status, body: { error: { message, type, param, code: status } } };
}

const given = (value: unknown): boolean => value !== undefined && value !== null;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Range {
  readonly is: (value: number) => boolean;
  readonly must: string;
  readonly whole?: boolean;
}

const MAX_CHOICES = 16_384;

/** Bounds of SamplingParams. */
const ranges: Readonly<Record<string, Range>> = {
  n: { is: (n) => n >= 1 && n <= MAX_CHOICES, must: `be at least 1 and at most ${MAX_CHOICES}`, whole: true },
  presence_penalty: { is: (p) => p >= -2 && p <= 2, must: 'be in [-2, 2]' },
  frequency_penalty: { is: (p) => p >= -2 && p <= 2, must: 'be in [-2, 2]' },
  repetition_penalty: { is: (p) => p > 0, must: 'be greater than zero' },
  temperature: { is: (t) => t >= 0 && t <= 2, must: 'be in [0, 2]' },
  top_p: { is: (p) => p > 0 && p <= 1, must: 'be in (0, 1]' },
  top_k: { is: (k) => k >= -1, must: 'be 0 (disable), or at least 1', whole: true },
  min_p: { is: (p) => p >= 0 && p <= 1, must: 'be in [0, 1]' },
  max_tokens: { is: (n) => n >= 1, must: 'be at least 1', whole: true },
  max_completion_tokens: { is: (n) => n >= 1, must: 'be at least 1', whole: true },
  min_tokens: { is: (n) => n >= 0, must: 'be greater than or equal to 0', whole: true },
  seed: { is: (n) => Math.abs(n) <= 2 ** 63, must: 'be a 64-bit integer', whole: true },
};

const switches = [
  'stream',
  'logprobs',
  'ignore_eos',
  'skip_special_tokens',
  'spaces_between_special_tokens',
  'include_stop_str_in_output',
  'use_beam_search',
  'add_generation_prompt',
  'continue_final_message',
  'add_special_tokens',
  'parallel_tool_calls',
];

const efforts: readonly unknown[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const MAX_LOGPROBS = 20;

/** The form of the fields, as pydantic reads them. Fields that vLLM does not know are let go. */
export function checkFormat(request: Fields): VllmRefusal | null {
  const { stream_options: options, stream, response_format: format, structured_outputs: structured } = request;
  if (given(options) && stream !== true)
    return refusal('Stream options can only be defined when `stream=True`.', 'stream_options');
  const wrong = switches.find((field) => given(request[field]) && typeof request[field] !== 'boolean');
  if (wrong !== undefined) return refusal(`Input should be a valid boolean: ${wrong}`, wrong);
  if (given(request['reasoning_effort']) && !efforts.includes(request['reasoning_effort']))
    return refusal("Input should be 'none', 'minimal', 'low', 'medium', 'high', 'xhigh' or 'max'", 'reasoning_effort');
  if (isFields(format)) {
    if (!['text', 'json_object', 'json_schema', 'structural_tag'].includes(String(format['type'])))
      return refusal("Input should be 'text', 'json_object' or 'json_schema'", 'response_format');
    if (format['type'] === 'json_schema' && !isFields(format['json_schema']))
      return refusal(
        "When response_format type is 'json_schema', the 'json_schema' field must be provided.",
        'response_format',
      );
  }
  if (isFields(structured)) {
    const kinds = ['json', 'regex', 'choice', 'grammar', 'json_object', 'structural_tag'];
    const count = kinds.filter((kind) => given(structured[kind])).length;
    if (count !== 1)
      return refusal(
        `You ${count > 1 ? 'can only' : 'must'} use one kind of structured outputs constraint but ${count > 1 ? 'multiple' : 'none'} are specified`,
      );
  }
  if (request['continue_final_message'] === true && request['add_generation_prompt'] === true)
    return refusal('Cannot set both `continue_final_message` and `add_generation_prompt` to True.');
  return null;
}

/** What it takes only where it was started so. */
export function checkExtras(request: Fields): VllmRefusal | null {
  if (given(request['chat_template']))
    return refusal(
      'Chat template is passed with request, but --trust-request-chat-template is not set. Refused request with untrusted chat template.',
    );
  if (given(request['priority']) && request['priority'] !== 0)
    return refusal(`Got priority ${String(request['priority'])} but Priority scheduling is not enabled.`);
  return null;
}

export function checkSampling(request: Fields): VllmRefusal | null {
  for (const [field, { is, must, whole }] of Object.entries(ranges)) {
    const value = request[field];
    if (!given(value)) continue;
    if (typeof value !== 'number' || (whole === true && !Number.isInteger(value)))
      return refusal(`Input should be a valid ${whole === true ? 'integer' : 'number'}: ${field}`, field);
    if (!is(value)) return refusal(`${field} must ${must}, got ${value}.`, field);
  }
  const {
    min_tokens: min,
    max_tokens: max,
    n,
    temperature,
    top_logprobs: top,
    stop,
    prompt_logprobs: prompt,
  } = request;
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    return refusal(`min_tokens must be less than or equal to max_tokens=${max}, got ${min}.`, 'min_tokens');
  if (typeof n === 'number' && n > 1 && temperature === 0)
    return refusal(`n must be 1 when using greedy sampling, got ${n}.`, 'n');
  if (typeof prompt === 'number' && prompt !== 0 && request['stream'] === true)
    return refusal('`prompt_logprobs` are not available when `stream=True`.', 'prompt_logprobs');
  if (typeof top === 'number') {
    if (top !== 0 && request['logprobs'] !== true)
      return refusal('when using `top_logprobs`, `logprobs` must be set to true.', 'top_logprobs');
    if (top > MAX_LOGPROBS)
      return refusal(
        `Requested sample logprobs of ${top}, which is greater than max allowed: ${MAX_LOGPROBS}`,
        'logprobs',
      );
  }
  if (stop === '' || (Array.isArray(stop) && stop.includes('')))
    return refusal('stop cannot contain an empty string.', 'stop');
  const words = request['bad_words'];
  if (Array.isArray(words) && words.includes('')) return refusal('bad_words cannot contain an empty string.');
  const ids = request['stop_token_ids'];
  if (Array.isArray(ids) && !ids.every(Number.isInteger))
    return refusal(`stop_token_ids must contain only integers, got ${JSON.stringify(ids)}.`);
  const odd = Object.keys(isFields(request['logit_bias']) ? request['logit_bias'] : {}).filter(
    (id) => !/^-?\d+$/.test(id),
  );
  if (odd.length > 0)
    return refusal(
      `logit_bias contains key(s) that cannot be converted to integer token IDs: ${JSON.stringify(odd)}`,
      'logit_bias',
    );
  return null;
}

export function checkTools(request: Fields, toolParser: boolean): VllmRefusal | null {
  const { tools, tool_choice: choice } = request;
  if (Array.isArray(tools) && tools.length === 0)
    return refusal(
      '`tools` must not be an empty array. Either provide at least one tool or omit the field entirely.',
      'tools',
    );
  if (choice === 'none') return null;
  if (!given(tools))
    return given(choice) ? refusal('When using `tool_choice`, `tools` must be set.', 'tool_choice') : null;
  if ((choice ?? 'auto') === 'auto')
    return toolParser
      ? null
      : refusal('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set');
  if (choice === 'required') return null;
  if (!isFields(choice))
    return refusal(
      `Invalid value for \`tool_choice\`: ${String(choice)}! Only named tools, "none", "auto" or "required" are supported.`,
      'tool_choice',
    );
  const name = isFields(choice['function']) ? choice['function']['name'] : undefined;
  const names = (tools as { readonly function: Fields }[]).map((tool) => tool.function['name']);
  return names.includes(name)
    ? null
    : refusal('The tool specified in `tool_choice` does not match any of the specified `tools`', 'tool_choice');
}
