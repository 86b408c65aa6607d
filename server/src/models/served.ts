import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import type { Catalogue, CatalogueModel } from './catalogue.ts';
import { completeEmbedder } from './embedders.ts';
import { effortKey, thinkingKey, thinkingSwitch } from './local.ts';
import { ModelProfile, type ModelProfileInput } from './profile.ts';

type Kind = ModelProfile['kind'];

/** A model of a connected server and the id under which it is offered. */
export interface ServedModel {
  readonly remoteId: string;
  readonly id: string;
  readonly kind: Kind;
  /** As the server said; null where it did not. */
  readonly contextLength: number | null;
}

/** A model server that was connected while the service runs. */
export interface ServingEngine {
  /** Name of its engine. */
  readonly name: string;
  /** The kind of server; null where it is not known. */
  readonly dialect: string | null;
  readonly models: readonly ServedModel[];
}

// A model's kind is guessed by its published name, because a list of models says nothing else about it.
const rerankers = /rerank|ranker|cross-?encoder/i;
const embedders =
  /embed|minilm|(?:^|[/_-])(?:bge|e5|gte|gtr|jina-clip|labse|stella|snowflake-arctic|kure|koe5|kosimcse|uae)(?=[-_.\d]|$)|sentence-|text2vec|nomic-bert/i;
const transcribers =
  /whisper|(?:^|[/_-])(?:asr|stt|transcribe|sensevoice|paraformer|parakeet|canary|moonshine|voxtral)(?=[-_.\d]|$)/i;
const speakers =
  /(?:^|[/_-])(?:tts|kokoro|xtts|melotts|cosyvoice|piper|orpheus|parler|chatterbox|supertonic)(?=[-_.\d]|$)/i;
/** Models in lists of hosted services whose kind is not served here. */
const unsupportedModels =
  /^(?:dall-e|sora|omni-moderation|text-moderation|gpt-image|babbage|davinci|chatgpt-image)|-realtime(?:-|$)/i;
const visionModels =
  /(?:^|[/_.-])(?:vl|vlm|vision|llava|pixtral|omni|internvl|minicpm-v|gpt-4o|gpt-4\.1|gpt-5|gemini|claude|qvq|moondream|molmo|ocr)(?=[-_.:\d]|$)|gemma-?3(?!n?-?(?:270m|1b))|gemma-?4|qwen[\d.]*-?vl|llama-?4|\dv(?:[-_:]|$)/i;
const effortModels = /gpt-?oss|(?:^|\/)o[134](?:-|$)|(?:^|\/)gpt-5/i;
/** Hosted models of levels of effort, whose thinking never stands in their text. Source: OpenAI API, "Reasoning models". */
const hostedReasoners = /(?:^|\/)o[134](?:-|$)|(?:^|\/)gpt-5/i;
const reasoningModels =
  /qwq|qwen-?3|deepseek-?(?:r|v3\.[1-9])|(?:^|[-_/])r1(?:[-_:]|$)|think|reason|magistral|glm-?(?:4\.[5-9]|[5-9])|exaone-?(?:4|deep)|seed-oss|nemotron|hyperclova|minimax-?m|kimi-k2\.[5-9]/i;
const nonReasoningModels = /instruct-2507|non-?think|no-?think|coder|embed|rerank/i;

/** What a model is for, by its name. Null for kinds that are not served here, such as pictures. */
export function guessKind(name: string): Kind | null {
  if (unsupportedModels.test(name)) return null;
  if (transcribers.test(name)) return 'transcription';
  if (speakers.test(name)) return 'speech';
  if (rerankers.test(name)) return 'rerank';
  return embedders.test(name) ? 'embedding' : 'chat';
}

/** Kinds of server that render the chat template themselves and take `chat_template_kwargs`. Source: adapters/engines/openai/dialects.ts. */
const templateServers: ReadonlySet<string> = new Set(['vllm', 'sglang', 'llama-server']);

const MIN_CONTEXT = 256;

/** How a chat model of this name thinks, as far as the name tells. What it thinks goes out under all names that clients know. */
function guessThinking(name: string, dialect: string | null): Pick<ModelProfileInput, 'reasoning' | 'template_keys'> {
  const keys = [...reasoningKeys];
  if (effortModels.test(name)) {
    const format = hostedReasoners.test(name) ? 'field' : 'auto';
    return { reasoning: { default: 'on', keys, format }, template_keys: effortKey };
  }
  const thinks = reasoningModels.test(name) && !nonReasoningModels.test(name);
  if (!thinks) return { reasoning: { default: 'none', keys }, template_keys: {} };
  const ownSwitch = dialect !== null && templateServers.has(dialect) ? { switch: thinkingSwitch } : {};
  return { reasoning: { default: 'on', keys, ...ownSwitch }, template_keys: thinkingKey };
}

interface Offer {
  readonly engine: ServingEngine;
  readonly model: ServedModel;
}

const bindingsOf = (offers: readonly Offer[]): CatalogueModel['engines'] =>
  offers.map(({ engine, model }) => ({ engine: engine.name, model: model.remoteId, weight: 1, priority: 0 }));

/** The smallest length of the servers; null when none reported one. */
function smallestLength(offers: readonly Offer[]): number | null {
  const known = offers.flatMap(({ model }) => (model.contextLength === null ? [] : [model.contextLength]));
  return known.length === 0 ? null : Math.min(...known);
}

/** The same as the context length of an entry. */
function contextLengthOf(offers: readonly Offer[]): number | null {
  const length = smallestLength(offers);
  return length === null ? null : Math.max(MIN_CONTEXT, length);
}

/** The catalogue entry of a model of a server that nobody wrote one for. */
function servedProfile(id: string, first: Offer, offers: readonly Offer[]): CatalogueModel {
  const { engine, model } = first;
  const room = contextLengthOf(offers);
  const common: ModelProfileInput = {
    kind: model.kind,
    description: `${model.remoteId} of the model server ${engine.name}`,
    engines: bindingsOf(offers),
    ...(room === null ? {} : { context_length: room }),
  };
  const chat = { images: visionModels.test(model.remoteId), ...guessThinking(model.remoteId, engine.dialect) };
  const profile = { id, guessed: true, ...ModelProfile.parse({ ...common, ...(model.kind === 'chat' ? chat : {}) }) };
  return completeEmbedder(profile, { names: [model.remoteId, id], engineLength: smallestLength(offers) });
}

/** An entry of the configuration served by connected servers: its keys and its form stay. */
function serveProfile(profile: CatalogueModel, offers: readonly Offer[]): CatalogueModel {
  const { reasoning } = profile;
  const switchable =
    reasoning.switch === undefined &&
    reasoning.default !== 'none' &&
    !('reasoning_effort' in profile.template_keys) &&
    offers.every(({ engine }) => engine.dialect !== null && templateServers.has(engine.dialect));
  const engineLength = smallestLength(offers);
  const served = {
    ...profile,
    engines: bindingsOf(offers),
    context_length: contextLengthOf(offers) ?? profile.context_length,
    reasoning: switchable ? { ...reasoning, switch: thinkingSwitch } : reasoning,
  };
  return completeEmbedder(served, { names: offers.map(({ model }) => model.remoteId), engineLength });
}

/**
 * The entries of the configuration, those of connected servers in place of their engines, and one for each further id.
 * Several servers with one id share its calls. A model of another kind than the entry of its id counts for nothing.
 */
export function withModelServers(configured: Catalogue, engines: readonly ServingEngine[]): Catalogue {
  if (engines.length === 0) return configured;
  const offers = new Map<string, Offer[]>();
  for (const engine of engines)
    for (const model of engine.models) {
      const before = offers.get(model.id) ?? [];
      const kind = configured.get(model.id)?.kind ?? before[0]?.model.kind ?? model.kind;
      if (model.kind === kind) offers.set(model.id, [...before, { engine, model }]);
    }
  const entries = new Map<string, CatalogueModel>();
  for (const profile of configured.list()) {
    const ownOffers = offers.get(profile.id);
    entries.set(profile.id, ownOffers ? serveProfile(profile, ownOffers) : profile);
  }
  for (const [id, ownOffers] of offers) {
    const [first] = ownOffers;
    if (first && !entries.has(id)) entries.set(id, servedProfile(id, first, ownOffers));
  }
  return {
    defaultModel: configured.defaultModel,
    defaultEmbedder: configured.defaultEmbedder,
    aliases: configured.aliases,
    get: (id) => entries.get(id),
    list: () => [...entries.values()],
  };
}
