import { harmonyStarts } from '../harmony.ts';
import { type ThinkTags, gemmaChannel, hyperclovaInTurn, solarMessage, thinkTags } from '../think-tags.ts';
import {
  COMMAND,
  GLM_FRAME,
  KIMI_FRAME,
  MINIMAX,
  MISTRAL,
  QWEN_FRAME,
  SEED,
  SOLAR_FRAME,
  TOOL_CALL,
  type ToolCallFormat,
} from '../tool-forms.ts';

export interface Family {
  readonly name: string;
  readonly tools: ToolCallFormat;
  /** Tags around thinking, where they are not channels. */
  readonly think: ThinkTags;
}

const { think, thought, magistral, seed, command } = thinkTags;

interface Rule {
  readonly family: Family;
  /** Whether the source of a chat template is one of the family's. */
  readonly fits: (source: string) => boolean;
}

const has =
  (...marks: readonly string[]) =>
  (source: string) =>
    marks.every((mark) => source.includes(mark));
const hasAny =
  (...marks: readonly string[]) =>
  (source: string) =>
    marks.some((mark) => source.includes(mark));

/** In order: the first that fits is the family. Sources: the families' published chat templates and model cards. */
const rules: readonly Rule[] = [
  { family: { name: 'gpt-oss', tools: 'harmony', think }, fits: has(...harmonyStarts) },
  { family: { name: 'deepseek', tools: 'dsml', think }, fits: has('<｜Assistant｜>', '｜DSML｜') },
  { family: { name: 'deepseek', tools: 'deepseek', think }, fits: has('<｜Assistant｜>') },
  { family: { name: 'command', tools: 'command', think: command }, fits: has(COMMAND.open) },
  { family: { name: 'seed', tools: 'seed', think: seed }, fits: has(SEED.open) },
  { family: { name: 'kimi', tools: 'kimi', think }, fits: has(KIMI_FRAME.open) },
  { family: { name: 'solar', tools: 'solar', think: solarMessage }, fits: has(SOLAR_FRAME.call) },
  { family: { name: 'minimax', tools: 'minimax', think }, fits: has(MINIMAX.open) },
  { family: { name: 'glm', tools: 'glm', think }, fits: has(GLM_FRAME.key) },
  { family: { name: 'qwen-coder', tools: 'qwen-xml', think }, fits: has(QWEN_FRAME.head, QWEN_FRAME.key) },
  { family: { name: 'mistral', tools: 'mistral-args', think: magistral }, fits: has(MISTRAL.open, MISTRAL.args) },
  { family: { name: 'mistral', tools: 'mistral-list', think: magistral }, fits: has('[INST]') },
  { family: { name: 'hyperclova', tools: 'hyperclova', think: hyperclovaInTurn }, fits: has('tool/function_call') },
  { family: { name: 'phi', tools: 'phi', think }, fits: has('<|tool|>') },
  // Mi:dm 2.0, and others that took Llama's turns and Hermes' calls.
  { family: { name: 'llama', tools: 'hermes', think }, fits: has('<|start_header_id|>', TOOL_CALL.open) },
  { family: { name: 'llama', tools: 'llama', think }, fits: has('<|start_header_id|>') },
  { family: { name: 'exaone-deep', tools: 'hermes', think: thought }, fits: has('[|assistant|]', thought.open) },
  { family: { name: 'exaone', tools: 'hermes', think }, fits: has('[|assistant|]') },
  { family: { name: 'gemma4', tools: 'gemma', think: gemmaChannel }, fits: has('<|turn>') },
  { family: { name: 'gemma', tools: 'hermes', think }, fits: has('<start_of_turn>') },
  { family: { name: 'qwen', tools: 'hermes', think }, fits: has('<|im_start|>', TOOL_CALL.open) },
  // LFM 2.5 has neither of its marks in the template of its larger models: `keep_past_thinking` is a word of theirs.
  {
    family: { name: 'lfm', tools: 'lfm', think },
    fits: hasAny('<|tool_call_start|>', '<|tool_list_start|>', 'keep_past_thinking'),
  },
];

/** What models of no known family are read as. */
export const GENERIC: Family = { name: 'generic', tools: 'hermes', think };

/** The family of a chat template, by the marks in its source. */
export const familyOf = (source: string): Family => rules.find(({ fits }) => fits(source))?.family ?? GENERIC;
