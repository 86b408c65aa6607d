import type { EngineInputs, EngineModel } from '../../../../ports/engine.ts';
import type { Dialect } from '../dialects.ts';
import { asArray, asNumber, asObject, asText } from '../json.ts';

/** Asks a page of the server, relative to its root; with a body by POST. Resolves with its JSON, null where there is none. */
export type AskPage = (path: string, body?: object) => Promise<unknown>;

/** Completes the models of a list by what the server's pages say of them: lengths, and what messages may hold. */
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

/** The model with what its messages may hold, where the server says whether there may be images. */
const withInputs = (model: EngineModel, images: unknown, audio: unknown): EngineModel =>
  typeof images === 'boolean' ? { ...model, inputs: { images, audio: audio === true } satisfies EngineInputs } : model;

async function ollamaModels(models: readonly EngineModel[], ask: AskPage): Promise<readonly EngineModel[]> {
  const loaded = named(asObject(await ask('/api/ps'))?.['models'], 'name', 'context_length');
  const found: EngineModel[] = [];
  for (const [i, { name, contextLength }] of models.entries()) {
    const shown = i < MAX_ASKED_ONE_BY_ONE ? asObject(await ask('/api/show', { model: name })) : null;
    const model = { name, contextLength: loaded.get(name) ?? contextLength ?? ollamaLength(shown) };
    // Older ones say nothing of what a model can do.
    const can = shown?.['capabilities'];
    found.push(Array.isArray(can) ? withInputs(model, can.includes('vision'), can.includes('audio')) : model);
  }
  return found;
}

/** What SGLang says of its one model; older ones have only the first of the pages, and newer ones are to lose it. */
async function sglangModels(models: readonly EngineModel[], ask: AskPage): Promise<readonly EngineModel[]> {
  const isListed = models.every(({ contextLength }) => contextLength !== null);
  const sized = isListed
    ? models
    : forAll(models, asNumber(asObject(await ask('/get_server_info'))?.['context_length']));
  const info = asObject((await ask('/get_model_info')) ?? (await ask('/model_info')));
  return sized.map((model) => withInputs(model, info?.['has_image_understanding'], info?.['has_audio_understanding']));
}

/** `type` of a model of LM Studio that is for chats: whether it takes images. */
const lmstudioImages: ReadonlyMap<string | null, boolean> = new Map([
  ['vlm', true],
  ['llm', false],
]);

/** What one kind of server has of lengths beside its list of models. */
interface ContextRules {
  /** Without `max_tokens` the server gives what is left of the context. */
  readonly fillsContext: boolean;
  readonly readLengths: ReadLengths | null;
}

/** An unknown server, and those whose list of models says it. */
const plain: ContextRules = { fillsContext: true, readLengths: null };

const rules: Partial<Record<Dialect, ContextRules>> = {
  // docs.sglang.ai, "SGLang Native APIs", /get_server_info: `context_length` of the server's arguments (newer ones list `max_model_len`);
  // /get_model_info: `has_image_understanding`, `has_audio_understanding`.
  sglang: { ...plain, readLengths: sglangModels },
  // llama.cpp, tools/server/README.md, GET /props: the context of one slot. `n_ctx_train` of the list is what the model was trained for.
  // `modalities` says what it takes besides text.
  'llama-server': {
    ...plain,
    readLengths: async (models, ask) => {
      const props = asObject(await ask('/props'));
      const [slot, can] = [asObject(props?.['default_generation_settings']), asObject(props?.['modalities'])];
      return forAll(models, asNumber(slot?.['n_ctx'])).map((model) =>
        withInputs(model, can?.['vision'], can?.['audio']),
      );
    },
  },
  // docs.ollama.com/api, "List running models" and "Show model details" (`capabilities`).
  ollama: { ...plain, readLengths: ollamaModels },
  // lmstudio.ai/docs, REST API v0: `loaded_context_length` of models that are loaded, `max_context_length` and `type` of all.
  lmstudio: {
    ...plain,
    readLengths: async (models, ask) => {
      const data = asObject(await ask('/api/v0/models'))?.['data'];
      const [loaded, most] = [named(data, 'id', 'loaded_context_length'), named(data, 'id', 'max_context_length')];
      const types = new Map(
        asArray(data).map((item) => [asText(asObject(item)?.['id']), asText(asObject(item)?.['type'])]),
      );
      return models.map(({ name, contextLength }) =>
        withInputs(
          { name, contextLength: loaded.get(name) ?? most.get(name) ?? contextLength },
          lmstudioImages.get(types.get(name) ?? null),
          false,
        ),
      );
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
