/** Where one kind of model server departs from the format. */
export interface DialectRules {
  /** Request fields that it refuses, has no use for, or takes for something else; left out, which callers are told. */
  readonly drops: readonly string[];
  /** Request fields that it knows by another name. */
  readonly renames: Readonly<Record<string, string>>;
  /** Fields it is given where the caller left them out, because its own default is not that of the interface. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** What asks for the usage of a stream; null where usage comes unasked or the field is refused. */
  readonly streamOptions: Readonly<Record<string, unknown>> | null;
  /** Bounds of `top_p`, where narrower than 0 to 1: what is below gets `min`, what is above `max` is left out. */
  readonly topP: { readonly min: number; readonly max: number } | null;
  /** Fields that turn thinking off, where `chat_template_kwargs` does nothing. */
  readonly thinkingOff: Readonly<Record<string, unknown>>;
  /** Several choices in one call. */
  readonly choices: boolean;
  /** Says which stop string ended a reply. */
  readonly reportsStop: boolean;
  /** Fields beyond the interface that go on as the caller gave them, where the operator says nothing else. */
  readonly extras: readonly string[];
  /** Path of a cheap check; relative to the server's root, or to the base address where it does not start with a slash. */
  readonly health: string;
}

const MIN_TOP_P = 1e-6;

const plain = {
  drops: [],
  renames: {},
  defaults: {},
  streamOptions: { include_usage: true },
  topP: null,
  thinkingOff: {},
  choices: false,
  reportsStop: false,
  extras: [],
  health: 'models',
} as const satisfies DialectRules;

/** Fields of vLLM and its kin that hosted services do not know. */
const localFields = [
  'skip_special_tokens',
  'chat_template_kwargs',
  'top_k',
  'min_p',
  'repetition_penalty',
  'ignore_eos',
  'min_tokens',
] as const;

// What passes changes what this one reply says, and nothing else. What is missing changes whose turn it is (priority), replaces the
// template (chat_template), opens files or addresses, runs code, or changes the form of replies.

/** docs.vllm.ai, "OpenAI-Compatible Server": extra parameters of the Chat API, sampling parameters and structured outputs. */
const vllmExtras = [
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
  'guided_whitespace_pattern',
  'structured_outputs',
  'documents',
  'truncate_prompt_tokens',
  'stop_token_ids',
  'allowed_token_ids',
  'bad_words',
  'length_penalty',
  'use_beam_search',
  'spaces_between_special_tokens',
  'add_special_tokens',
  'add_generation_prompt',
  'continue_final_message',
  'cache_salt',
] as const;

/** docs.sglang.ai, "Sampling Parameters" and "Structured Outputs". */
const sglangExtras = ['regex', 'ebnf', 'stop_token_ids', 'continue_final_message', 'cache_salt'] as const;

/** All that is known of the servers, as data. `unknown` is what a server gets until it was recognised. */
export const dialects = {
  // Nothing is assumed: only what the format's own reference has. Many servers refuse a top_p of 0, none the smallest there is.
  unknown: { ...plain, topP: { min: MIN_TOP_P, max: 1 } },
  // docs.vllm.ai, "OpenAI-Compatible Server" (extra parameters) and SamplingParams (0 < top_p <= 1); stop_reason is the stop string.
  vllm: {
    ...plain,
    defaults: { skip_special_tokens: false },
    topP: { min: MIN_TOP_P, max: 1 },
    choices: true,
    reportsStop: true,
    extras: vllmExtras,
    health: '/health',
  },
  // docs.sglang.ai, "OpenAI APIs" and "Sampling Parameters" (0 < top_p <= 1); matched_stop is the stop string.
  sglang: {
    ...plain,
    defaults: { skip_special_tokens: false },
    topP: { min: MIN_TOP_P, max: 1 },
    choices: true,
    reportsStop: true,
    extras: sglangExtras,
    health: '/health',
  },
  // Our own processes with local models.
  'llama-child': {
    ...plain,
    defaults: { skip_special_tokens: false },
    choices: true,
    reportsStop: true,
    health: '/health',
  },
  // llama.cpp, tools/server/README.md: takes chat_template_kwargs; the stopping word is not part of chat replies.
  'llama-server': { ...plain, health: '/health' },
  // docs.ollama.com, "OpenAI compatibility": unknown fields are let go, n is not supported, reasoning_effort "none" turns thinking off.
  ollama: {
    ...plain,
    drops: ['chat_template_kwargs'],
    thinkingOff: { reasoning_effort: 'none' },
    health: '/api/version',
  },
  // lmstudio.ai/docs, "OpenAI Compatibility Endpoints": the listed parameters; others are let go.
  lmstudio: plain,
  // huggingface.co/docs/text-generation-inference, "Messages API"; its router wants 0 < top_p < 1.
  tgi: { ...plain, topP: { min: MIN_TOP_P, max: 0.999_999 }, health: '/health' },
  // platform.openai.com/docs/api-reference/chat: refuses unknown fields; max_tokens is deprecated and refused by newer models.
  openai: {
    ...plain,
    drops: localFields,
    renames: { max_tokens: 'max_completion_tokens' },
    // Without this every event carries random padding.
    streamOptions: { include_usage: true, include_obfuscation: false },
    choices: true,
  },
  // api-docs.deepseek.com, "Create Chat Completion": lets unknown fields go; has no n.
  deepseek: { ...plain, drops: [...localFields, 'seed', 'logit_bias', 'parallel_tool_calls'] },
  // ai.google.dev/gemini-api/docs/openai: refuses unknown fields.
  gemini: { ...plain, drops: [...localFields, 'logit_bias', 'seed', 'user', 'service_tier', 'parallel_tool_calls'] },
  // docs.mistral.ai/api, chat: refuses unknown fields, usage comes unasked, the seed has another name.
  mistral: {
    ...plain,
    drops: [...localFields, 'logit_bias', 'logprobs', 'top_logprobs', 'user', 'service_tier', 'reasoning_effort'],
    renames: { seed: 'random_seed' },
    streamOptions: null,
    choices: true,
  },
} as const satisfies Record<string, DialectRules>;

/** A kind of model server. */
export type Dialect = keyof typeof dialects;

export const rulesOf = (dialect: Dialect): DialectRules => dialects[dialect];

/** Host names of hosted services. Source: their API references. */
export const hostDialects: Readonly<Record<string, Dialect>> = {
  'api.openai.com': 'openai',
  'api.deepseek.com': 'deepseek',
  'generativelanguage.googleapis.com': 'gemini',
  'api.mistral.ai': 'mistral',
};

/** Kinds of server that no router stands behind, or none of ours: they are not told which conversation a call belongs to. */
const withoutSession: ReadonlySet<Dialect> = new Set([...Object.values(hostDialects), 'llama-child']);

/** Header that names the session of a call where the operator says nothing else. Source: vLLM Router, src/policies/hash_key.rs. */
export const sessionHeaderOf = (dialect: Dialect): string | null =>
  withoutSession.has(dialect) ? null : 'x-session-id';

/** Header by which a server is told how urgent a call is, where it keeps an order of its own; null where it knows of none. */
export const priorityHeaderOf = (dialect: Dialect): string | null => (dialect === 'llama-child' ? 'x-priority' : null);

/** `owned_by` of listed models. Sources: the `/v1/models` replies in each server's documentation. */
export const ownerDialects: Readonly<Record<string, Dialect>> = {
  vllm: 'vllm',
  sglang: 'sglang',
  llamacpp: 'llama-server',
  library: 'ollama',
  'organization-owner': 'lmstudio',
  organization_owner: 'lmstudio',
  deepseek: 'deepseek',
  google: 'gemini',
  mistralai: 'mistral',
};

/** Starts of the `server` header. Source: llama.cpp, tools/server. */
export const serverHeaderDialects: Readonly<Record<string, Dialect>> = { 'llama.cpp': 'llama-server' };

/** Pages, relative to the root, that only one kind of server has, with a field of the reply. */
export const fingerprintPages: readonly { readonly path: string; readonly field: string; readonly dialect: Dialect }[] =
  [
    // llama.cpp, tools/server/README.md, GET /props.
    { path: '/props', field: 'default_generation_settings', dialect: 'llama-server' },
    // docs.sglang.ai, "SGLang Native APIs".
    { path: '/get_model_info', field: 'model_path', dialect: 'sglang' },
    // Text Generation Inference API, GET /info.
    { path: '/info', field: 'max_total_tokens', dialect: 'tgi' },
  ];
