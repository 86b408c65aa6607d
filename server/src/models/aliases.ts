import type { SpeechRequest } from '@ai-studio/contract/audio.ts';
import type { ModelKind } from '@ai-studio/contract/models.ts';
import type { Catalogue, CatalogueModel } from './catalogue.ts';

/** What a well-known name stands for at a site. */
interface AliasRule {
  readonly kind: ModelKind;
  /** Names of models that it means, the best first. */
  readonly means: readonly RegExp[];
  /** Where none of them is there: the first model of the kind, the default embedder, or nothing. */
  readonly otherwise: 'first' | 'default_embedder' | 'nothing';
  /** The format of speech that its callers expect where they name none. */
  readonly speechFormat?: NonNullable<SpeechRequest['response_format']>;
}

/** The name of a model (letters, digits and dashes) by itself or with the ending of a quantisation, after an owner or not. */
const modelName = (name: string): RegExp =>
  new RegExp(`(?:^|/)${name}(?:[-_.](?:i?q\\d|b?f16|f32|fp16|gguf).*)?$`, 'i');

// Vectors and scores of different models don't compare, so a name of such a model stands for that model alone. Sound and text are
// what they are whoever made them: any model of the kind is better than a refusal, and `root` in the list says which it is.
// Sources: decisions section 3 (bge-m3, whisper-large-v3, melo-tts-ko); OpenAI, API reference, "Create transcription" and
// "Create speech", whose clients send these names: whisper-1, tts-1, tts-1-hd, and alloy where they mix up voice and model.
const rules: Readonly<Record<string, AliasRule>> = {
  'bge-m3': { kind: 'embedding', means: [modelName('bge-m3')], otherwise: 'nothing' },
  'rag42-embed-v1': { kind: 'embedding', means: [], otherwise: 'default_embedder' },
  'bge-reranker-v2-m3': { kind: 'rerank', means: [modelName('bge-reranker-v2-m3')], otherwise: 'nothing' },
  'whisper-1': { kind: 'transcription', means: [/whisper/i], otherwise: 'first' },
  'whisper-large-v3': { kind: 'transcription', means: [modelName('whisper-large-v3'), /whisper/i], otherwise: 'first' },
  'whisper-large-v3-turbo': { kind: 'transcription', means: [/whisper.*turbo/i, /whisper/i], otherwise: 'first' },
  // Programs of the original interface send no format, and read WAV.
  'melo-tts-ko': { kind: 'speech', means: [/melo/i], otherwise: 'first', speechFormat: 'wav' },
  'tts-1': { kind: 'speech', means: [], otherwise: 'first' },
  'tts-1-hd': { kind: 'speech', means: [], otherwise: 'first' },
  alloy: { kind: 'speech', means: [], otherwise: 'first' },
};

/** All names under which a model is known: its id, and those that its engines have for it. */
const namesOf = ({ id, engines }: CatalogueModel): readonly string[] => [
  id,
  ...engines.flatMap(({ model }) => (model === undefined ? [] : [model])),
];

function modelByRule(catalogue: Catalogue, { kind, means, otherwise }: AliasRule): CatalogueModel | undefined {
  const models = catalogue.list().filter((model) => model.kind === kind);
  for (const pattern of means) {
    const meant = models.find((model) => namesOf(model).some((name) => pattern.test(name)));
    if (meant) return meant;
  }
  if (otherwise === 'first') return models[0];
  return otherwise === 'default_embedder' ? models.find(({ id }) => id === catalogue.defaultEmbedder) : undefined;
}

function modelByAlias(catalogue: Catalogue, name: string): CatalogueModel | undefined {
  const own = Object.hasOwn(catalogue.aliases, name) ? catalogue.aliases[name] : undefined;
  if (own === null) return undefined;
  if (own !== undefined) return catalogue.list().find(({ id }) => id === own);
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  return rule && modelByRule(catalogue, rule);
}

/** The format of speech where a request that names a model so names none. Source: OpenAI, "Create speech", for all other names. */
export const usualSpeechFormat = (name: string | null | undefined) =>
  (name && Object.hasOwn(rules, name) ? rules[name]?.speechFormat : undefined) ?? 'mp3';

/** The model that a request names: by its id, else by an alias. An id is never shadowed, not even by one that cannot be used. */
export const modelNamed = (catalogue: Catalogue, name: string): CatalogueModel | undefined =>
  catalogue.get(name) ?? modelByAlias(catalogue, name);

/** The aliases that stand for a model at the moment, with their model: those of the configuration, then the well-known ones. */
export function listAliases(
  catalogue: Catalogue,
): readonly { readonly alias: string; readonly model: CatalogueModel }[] {
  const names = new Set([...Object.keys(catalogue.aliases), ...Object.keys(rules)]);
  return [...names].flatMap((alias) => {
    const model = catalogue.get(alias) === undefined ? modelByAlias(catalogue, alias) : undefined;
    return model === undefined ? [] : [{ alias, model }];
  });
}
