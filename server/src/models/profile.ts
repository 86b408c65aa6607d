import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import { fallbackReasons, ModelKind } from '@ai-studio/contract/models.ts';
import { z } from 'zod';

/** A BCP 47 language tag, by its shape. Source: RFC 5646, section 2.1. */
const LANGUAGE_TAG = '^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$';

/** What is added to the request for the engine. `{value}` in a text, and a string `{value}` in `body`, stand for the key's value. */
export const EngineEdit = z.strictObject({
  body: z.record(z.string(), z.unknown()).optional().describe('Top-level fields; objects are merged one level deep'),
  system: z.string().optional().describe('A line put before the first message as a system message'),
});
export type EngineEdit = z.infer<typeof EngineEdit>;

/** One key that a model takes in `chat_template_kwargs`. */
export const TemplateKey = z.strictObject({
  type: z.enum(['boolean', 'string', 'integer', 'number']),
  enum: z.array(z.string()).min(1).optional(),
  format: z.literal('language').optional().describe('A BCP 47 tag such as ko or en-US'),
  when_true: z.enum(['on', 'off']).optional().describe('What the value true does to reasoning'),
  when_false: z.enum(['on', 'off']).optional().describe('What the value false does to reasoning'),
  send: EngineEdit.optional().describe(
    'How the key reaches the engine; by default under its own name in chat_template_kwargs',
  ),
});
export type TemplateKey = z.infer<typeof TemplateKey>;

/** Where a model's engine puts its thinking when it does not put it into a field of its own. */
export const reasoningFormats = ['auto', 'field', 'tags', 'open', 'harmony'] as const;
export type ReasoningFormat = (typeof reasoningFormats)[number];

/** One way to reach a model: an engine of the configuration and the model's name there. */
export const EngineBinding = z.strictObject({
  engine: z.string().min(1).describe('Name of an entry of engines; builtin; or llama for local models'),
  model: z.string().min(1).optional().describe("The engine's own name of the model; the catalogue id when left out"),
  weight: z.number().positive().default(1).describe('Share of the calls among bindings of one priority'),
  priority: z.int().min(0).default(0).describe('Bindings of a higher number are used only when all lower ones fail'),
  template: z
    .enum(['own', 'other'])
    .optional()
    .describe(
      "own: the engine has the model's own chat template, which reads its template keys; other: it has not, and gets the model's instruction as a system message. When left out, other where `model` names something that does not contain the catalogue id",
    ),
});
export type EngineBinding = z.infer<typeof EngineBinding>;

export type FallbackReason = (typeof fallbackReasons)[number];

/** A chat model that answers in place of another. */
const Fallback = z.strictObject({
  model: z.string().min(1).describe('Id of the chat model that answers then'),
  on: z
    .array(z.enum(fallbackReasons))
    .min(1)
    .default([...fallbackReasons])
    .describe(
      'When: unavailable (no address answers), overloaded (all of them have too much to do, or limit us), context_length (the prompt is longer than the model reads)',
    ),
});

/** The models that answer in place of one, in order, each with its reasons. */
export const fallbacksOf = ({ fallbacks }: Pick<ModelProfile, 'fallbacks'>): readonly z.infer<typeof Fallback>[] =>
  fallbacks.map((fallback) =>
    typeof fallback === 'string' ? { model: fallback, on: [...fallbackReasons] } : fallback,
  );

/** A text before each text of a kind: most have a few words. */
const prefix = z.string().max(2_000);

/** How an embedding model is asked. What is left out is known by the model's name, or said by its engine. */
export const EmbeddingProfile = z.strictObject({
  max_tokens: z
    .int()
    .min(16)
    .optional()
    .describe(
      'Tokens of a text that the model reads, special ones counted; longer ones are refused, or cut where asked',
    ),
  pooling: z
    .enum(['mean', 'cls', 'last'])
    .optional()
    .describe('Models of this machine: how the vectors of tokens become one, over what the file says'),
  normalize: z
    .boolean()
    .optional()
    .describe(
      'Whether vectors are made of length 1; by default those of models of this machine are, those of servers stay as they come',
    ),
  query_prefix: prefix.optional().describe('Text before each query, such as "query: "; empty for none'),
  passage_prefix: prefix.optional().describe('Text before each passage, such as "passage: "; empty for none'),
});
export type EmbeddingProfile = z.infer<typeof EmbeddingProfile>;

/** The profile of settings in which null stands for what nobody says. */
export const toEmbeddingProfile = (settings: {
  readonly [K in keyof EmbeddingProfile]: EmbeddingProfile[K] | null;
}): EmbeddingProfile =>
  EmbeddingProfile.parse(Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)));

/** Whether an engine has the model's own chat template: as the binding says, else by the name that it knows the model by. */
export const hasOwnTemplate = ({ template, model = '' }: EngineBinding, modelId: string): boolean =>
  template === undefined ? model === '' || model.toLowerCase().includes(modelId.toLowerCase()) : template === 'own';

/** What a model's template makes of its keys, in words for engines with another template. */
export const Instruction = z.strictObject({
  keys: z.array(z.string()).describe('Template keys that must be given for this instruction'),
  system: z
    .string()
    .min(1)
    .describe(
      'A line of the system message; {KEY} stands for the value of a key, for a language with its English name',
    ),
});
export type Instruction = z.infer<typeof Instruction>;

/** One entry of the model catalogue. Source of the fields: decisions section 2, "Models are data". */
export const ModelProfile = z.strictObject({
  kind: ModelKind.default('chat'),
  description: z.string().optional(),
  engines: z
    .array(EngineBinding)
    .min(1)
    .default([{ engine: 'builtin', weight: 1, priority: 0 }]),
  fallbacks: z
    .array(z.union([z.string().min(1), Fallback]))
    .max(8)
    .default([])
    .describe(
      'Chat models that answer in place of this one where it cannot, in this order; an id, or an id with the reasons. Those that a caller may not use, or that would refuse the request, are passed over',
    ),
  context_length: z.int().min(256).default(131_072).describe('Tokens of prompt and reply together'),
  images: z.boolean().default(false).describe('Whether user messages may hold images'),
  inputs: z
    .array(z.enum(['audio', 'file', 'video']))
    .default([])
    .describe('What user messages may hold besides text and images'),
  tools: z.boolean().default(true).describe('Whether the model can call tools'),
  reasoning: z
    .strictObject({
      default: z.enum(['on', 'off', 'none']).default('none').describe('none: the model never reasons'),
      keys: z.array(z.enum(reasoningKeys)).default([]).describe('Keys of replies and deltas that carry the thinking'),
      format: z
        .enum(reasoningFormats)
        .default('auto')
        .describe(
          'Where the engine puts thinking: field (a key of its own; text is the answer as it stands), tags (<think>…</think>), open (the opening tag is in the prompt), harmony (channels), auto (each reply tells)',
        ),
      switch: z
        .strictObject({ on: EngineEdit.optional(), off: EngineEdit.optional() })
        .optional()
        .describe(
          "The engine's own switch. When set, the template keys that turn reasoning on or off become this instead of being sent",
        ),
    })
    .prefault({}),
  template_keys: z.record(z.string(), TemplateKey).default({}),
  instructions: z
    .array(Instruction)
    .default([])
    .describe(
      "For engines without the model's own template: the first whose keys are all given stands in the system message, in place of these keys",
    ),
  tool_stream: z
    .enum(['openai', 'arguments'])
    .default('openai')
    .describe(
      'openai: the first delta of a tool call has id and name; arguments: deltas have index and arguments only',
    ),
  stop: z.array(z.string().min(1)).default([]).describe('Stop strings added to every request'),
  control_tokens: z
    .array(z.string().min(1))
    .default([])
    .describe('Tokens of the chat template that never reach a client'),
  dimensions: z.int().min(1).optional().describe('Embedding models: length of a vector'),
  embedding: EmbeddingProfile.prefault({}).describe('Embedding models: how they are asked'),
});
export type ModelProfile = z.infer<typeof ModelProfile>;
export type ModelProfileInput = z.input<typeof ModelProfile>;

export const languageTag = new RegExp(LANGUAGE_TAG);
