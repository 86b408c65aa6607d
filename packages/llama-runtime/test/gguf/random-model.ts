import { type DecoderSizes, decoderLayers, decoderMetadata } from './decoder.ts';
import { normal, ones, randomNumbers } from './numbers.ts';
import { byteVocabulary } from './vocabulary.ts';
import { writeGguf } from './writer.ts';

/** ChatML with thinking as Qwen 3 has it and tools as a list in the system message: enough for tests. */
export const PLAIN_TEMPLATE = `{%- if tools %}<|im_start|>system
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}
<tool_call></tool_call><|im_end|>
{% endif -%}
{%- for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant
{%- if enable_thinking is defined and enable_thinking is false %}
<think>

</think>

{% else %}
{% endif -%}
{% endif %}`;

/** Control tokens of the ChatML family. */
export const CHATML_CONTROL = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<think>',
  '</think>',
  '<tool_call>',
  '</tool_call>',
] as const;

const WORDS = [
  'the',
  ' the',
  'and',
  ' and',
  'true',
  'false',
  'null',
  '안녕',
  '하세요',
  '데이터',
  ' 정부',
  '": "',
  '", "',
];

export interface RandomModelOptions {
  readonly seed?: number;
  readonly contextLength?: number;
  /** Null for a file without a template. */
  readonly chatTemplate?: string | null;
  readonly name?: string;
  /** `llama` when left out; another one that llama.cpp does not know makes a file that it refuses. */
  readonly architecture?: string;
  /** Other than tiny: for measurements. */
  readonly sizes?: Omit<DecoderSizes, 'contextLength'>;
}

const vocabularyOf = (chatTemplate: string | null) =>
  byteVocabulary({ control: CHATML_CONTROL, end: '<|im_end|>', words: WORDS, chatTemplate });

/** Tokens of the random model that are a part of a character, for requests that want whole ones (`logit_bias`). */
export const partialTokens = (): readonly number[] => vocabularyOf(null).partial;

/** Writes a tiny model of random weights: it says nonsense, fluently, in every byte. Returns the path. */
export function writeRandomModel(path: string, options: RandomModelOptions = {}): string {
  const { seed = 1, contextLength = 4096, chatTemplate = PLAIN_TEMPLATE, architecture = 'llama' } = options;
  const vocabulary = vocabularyOf(chatTemplate);
  const tiny = { embedding: 64, layers: 2, heads: 2, headSize: 32, feedForward: 128 };
  const sizes = { ...tiny, ...options.sizes, contextLength };
  const random = randomNumbers(seed);
  const make = (...shape: readonly number[]) => normal(random, 1.6 / Math.sqrt(shape[0] ?? 1), ...shape);
  const count = vocabulary.tokens.length;
  return writeGguf(
    path,
    { ...decoderMetadata(architecture, options.name ?? 'Random', sizes), ...vocabulary.metadata },
    {
      'token_embd.weight': normal(random, 1, sizes.embedding, count),
      ...decoderLayers(sizes, make),
      'output_norm.weight': ones(sizes.embedding),
      'output.weight': normal(random, 2 / Math.sqrt(sizes.embedding), sizes.embedding, count),
    },
  );
}
