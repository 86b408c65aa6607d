/** How a family of models writes its tool calls. */
export type ToolForm =
  /** `<tool_call>{"name", "arguments"}</tool_call>`: Qwen 2.5 and 3, Hermes, EXAONE 4. */
  | 'hermes'
  /** `<tool_call><function=NAME><parameter=KEY>…`: Qwen 3 Coder. */
  | 'qwen-xml'
  /** `{"name", "parameters"}` as the whole answer, also after `<|python_tag|>`: Llama 3.1 and later. */
  | 'llama'
  /** `[TOOL_CALLS][{"name", "arguments"}]`: Mistral's earlier tokenizers. */
  | 'mistral-list'
  /** `[TOOL_CALLS]NAME[ARGS]{…}`: Mistral's tokenizers from version 11 on. */
  | 'mistral-args'
  /** `<｜tool▁calls▁begin｜>…`: DeepSeek V3 and R1. */
  | 'deepseek'
  /** `<tool_call>NAME<arg_key>…`: GLM 4.5. */
  | 'glm'
  /** Channels: gpt-oss. */
  | 'harmony'
  /** `<|tool_call|>[{"name", "arguments"}]<|/tool_call|>`: Phi 4 mini. */
  | 'phi'
  /** ` -> tool/function_call` and a list: HyperCLOVA X SEED. */
  | 'hyperclova';

export interface Family {
  readonly name: string;
  readonly tools: ToolForm;
  /** Tags around thinking, where they are not channels. */
  readonly think: { readonly open: string; readonly close: string };
}

const THINK = { open: '<think>', close: '</think>' } as const;

/** Thinking is a message of its own, of the role `assistant/think`; the answer is the next. */
const HYPERCLOVA = { open: '/think\n', close: '<|im_end|>\n<|im_start|>assistant' } as const;

interface Rule {
  readonly family: Family;
  /** Whether the source of a chat template is one of the family's. */
  readonly fits: (source: string) => boolean;
}

const has =
  (...marks: readonly string[]) =>
  (source: string) =>
    marks.every((mark) => source.includes(mark));

/** In order: the first that fits is the family. Sources: the families' published chat templates and model cards. */
const rules: readonly Rule[] = [
  { family: { name: 'gpt-oss', tools: 'harmony', think: THINK }, fits: has('<|channel|>', '<|start|>') },
  { family: { name: 'deepseek', tools: 'deepseek', think: THINK }, fits: has('<｜Assistant｜>') },
  { family: { name: 'glm', tools: 'glm', think: THINK }, fits: has('<arg_key>') },
  { family: { name: 'qwen-coder', tools: 'qwen-xml', think: THINK }, fits: has('<function=', '<parameter=') },
  {
    family: { name: 'mistral', tools: 'mistral-args', think: { open: '[THINK]', close: '[/THINK]' } },
    fits: has('[TOOL_CALLS]', '[ARGS]'),
  },
  {
    family: { name: 'mistral', tools: 'mistral-list', think: { open: '[THINK]', close: '[/THINK]' } },
    fits: has('[INST]'),
  },
  { family: { name: 'hyperclova', tools: 'hyperclova', think: HYPERCLOVA }, fits: has('tool/function_call') },
  { family: { name: 'phi', tools: 'phi', think: THINK }, fits: has('<|tool|>') },
  { family: { name: 'llama', tools: 'llama', think: THINK }, fits: has('<|start_header_id|>') },
  {
    family: { name: 'exaone-deep', tools: 'hermes', think: { open: '<thought>', close: '</thought>' } },
    fits: has('[|assistant|]', '<thought>'),
  },
  { family: { name: 'exaone', tools: 'hermes', think: THINK }, fits: has('[|assistant|]') },
  { family: { name: 'gemma', tools: 'hermes', think: THINK }, fits: has('<start_of_turn>') },
  { family: { name: 'qwen', tools: 'hermes', think: THINK }, fits: has('<|im_start|>', '<tool_call>') },
];

/** What models of no known family are read as. */
export const GENERIC: Family = { name: 'generic', tools: 'hermes', think: THINK };

/** The family of a chat template, by the marks in its source. */
export const familyOf = (source: string): Family => rules.find(({ fits }) => fits(source))?.family ?? GENERIC;
