import type { EngineModel } from '../../../../ports/engine.ts';
import type { Dialect } from '../dialects.ts';
import { asArray, asNumber, asObject, asText } from '../json.ts';

/** Asks a page of the server, relative to its root; with a body by POST. Resolves with its JSON, null where there is none. */
export type AskPage = (path: string, body?: object) => Promise<unknown>;

type ReadLengths = (models: readonly EngineModel[], ask: AskPage) => Promise<readonly EngineModel[]>;

/** Models that are asked for one by one: a server may list hundreds. */
const MAX_ASKED_ONE_BY_ONE = 32;

const named = (items: unknown, name: string, length: string): ReadonlyMap<string, number> =>
  new Map(
    asArray(items).flatMap((item) => {
      const fields = asObject(item);
      const [id, tokens] = [asText(fields?.[name]), asNumber(fields?.[length])];
      return id === null || tokens === null ? [] : [[id, tokens] as const];
    }),
  );

/** One length for all models: such a server has only one loaded. */
const forAll = (models: readonly EngineModel[], tokens: number | null): readonly EngineModel[] =>
  tokens === null ? models : models.map((model) => ({ ...model, contextLength: tokens }));

/** The context of an Ollama model as it would be loaded: `num_ctx` of its parameters, else what it was trained for. */
function ollamaLength(shown: unknown): number | null {
  const model = asObject(shown);
  const parameter = /^num_ctx\s+(\d+)/m.exec(asText(model?.['parameters']) ?? '')?.[1];
  if (parameter !== undefined) return Number(parameter);
  const trained = Object.entries(asObject(model?.['model_info']) ?? {}).find(([key]) =>
    key.endsWith('.context_length'),
  );
  return asNumber(trained?.[1]);
}

async function ollamaLengths(models: readonly EngineModel[], ask: AskPage): Promise<readonly EngineModel[]> {
  const loaded = named(asObject(await ask('/api/ps'))?.['models'], 'name', 'context_length');
  const found: EngineModel[] = [];
  for (const [i, { name, contextLength }] of models.entries()) {
    const known = loaded.get(name) ?? contextLength;
    const asked =
      known === null && i < MAX_ASKED_ONE_BY_ONE ? ollamaLength(await ask('/api/show', { model: name })) : known;
    found.push({ name, contextLength: asked });
  }
  return found;
}

/** What one kind of server has of lengths beside its list of models. */
interface ContextRules {
  /** Without `max_tokens` the server gives what is left of the context. */
  readonly fillsContext: boolean;
  /** Path that counts the tokens of a chat request's messages and tools. */
  readonly tokenizer: string | null;
  readonly readLengths: ReadLengths | null;
}

/** An unknown server, and those whose list of models says it. */
const plain: ContextRules = { fillsContext: true, tokenizer: null, readLengths: null };

const rules: Partial<Record<Dialect, ContextRules>> = {
  // docs.vllm.ai, "OpenAI-Compatible Server", Tokenizer API: takes `messages`, `tools` and `chat_template_kwargs`; `count` of the reply.
  vllm: { ...plain, tokenizer: '/tokenize' },
  // docs.sglang.ai, "SGLang Native APIs", /get_server_info: `context_length` of the server's arguments. Newer ones list `max_model_len`.
  sglang: {
    ...plain,
    readLengths: async (models, ask) => {
      if (models.every(({ contextLength }) => contextLength !== null)) return models;
      return forAll(models, asNumber(asObject(await ask('/get_server_info'))?.['context_length']));
    },
  },
  // llama.cpp, tools/server/README.md, GET /props: the context of one slot. `n_ctx_train` of the list is what the model was trained for.
  'llama-server': {
    ...plain,
    readLengths: async (models, ask) =>
      forAll(models, asNumber(asObject(asObject(await ask('/props'))?.['default_generation_settings'])?.['n_ctx'])),
  },
  // docs.ollama.com/api, "List running models" and "Show model details".
  ollama: { ...plain, readLengths: ollamaLengths },
  // lmstudio.ai/docs, REST API v0: `loaded_context_length` of models that are loaded, `max_context_length` of all.
  lmstudio: {
    ...plain,
    readLengths: async (models, ask) => {
      const data = asObject(await ask('/api/v0/models'))?.['data'];
      const [loaded, most] = [named(data, 'id', 'loaded_context_length'), named(data, 'id', 'max_context_length')];
      return models.map(({ name, contextLength }) => ({
        name,
        contextLength: loaded.get(name) ?? most.get(name) ?? contextLength,
      }));
    },
  },
  // Text Generation Inference API, GET /info. Its versions differ in what they make of a request without max_tokens (100 tokens, or the rest).
  tgi: {
    ...plain,
    fillsContext: false,
    readLengths: async (models, ask) => forAll(models, asNumber(asObject(await ask('/info'))?.['max_total_tokens'])),
  },
};

export const contextRulesOf = (dialect: Dialect): ContextRules => rules[dialect] ?? plain;
