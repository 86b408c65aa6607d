/** How a family of models writes its tool calls. */
export type ToolCallFormat =
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
  /** `<|tool_call>call:NAME{key:<|"|>text<|"|>}<tool_call|>`: Gemma 4. */
  | 'gemma'
  /** ` -> tool/function_call` and a list: HyperCLOVA X SEED. */
  | 'hyperclova'
  /** `<seed:tool_call><function=NAME><parameter=KEY>…`: Seed-OSS. */
  | 'seed'
  /** `<|tool_call_start|>[NAME(KEY=VALUE)]<|tool_call_end|>`, values as Python writes them: LFM 2 and 2.5. */
  | 'lfm'
  /** `<|tool_calls_section_begin|><|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}`: Kimi K2. */
  | 'kimi'
  /** `<|tool_calls|><|tool_call:begin|>ID<|tool_call:name|>NAME<|tool_call:args|>{…}`: Solar Open. */
  | 'solar'
  /** `<｜DSML｜function_calls><｜DSML｜invoke name="NAME"><｜DSML｜parameter name="KEY" string="true">…`: DeepSeek V3.2. */
  | 'dsml'
  /** `<minimax:tool_call><invoke name="NAME"><parameter name="KEY">…`: MiniMax M2. */
  | 'minimax'
  /** `<|START_ACTION|>[{"tool_call_id", "tool_name", "parameters"}]<|END_ACTION|>`: Command R7B and Command A. */
  | 'command';

/** Marks of the forms. Sources: the families' published chat templates. */
export const TOOL_CALL = { open: '<tool_call>', close: '</tool_call>' } as const;
export const PHI = { open: '<|tool_call|>', close: '<|/tool_call|>' } as const;
export const GEMMA = { open: '<|tool_call>', close: '<tool_call|>', head: 'call:', quote: '<|"|>' } as const;
export const MISTRAL = { open: '[TOOL_CALLS]', id: '[CALL_ID]', args: '[ARGS]' } as const;
export const HYPERCLOVA = { open: ' -> tool/function_call\n' } as const;
export const DEEPSEEK = {
  open: '<｜tool▁calls▁begin｜>',
  close: '<｜tool▁calls▁end｜>',
  call: '<｜tool▁call▁begin｜>',
  callEnd: '<｜tool▁call▁end｜>',
  separator: '<｜tool▁sep｜>',
  /** Around the arguments in the older form, whose name stands after the word function and the separator. */
  code: '\n```json\n',
  codeEnd: '\n```',
} as const;

export const SEED = { open: '<seed:tool_call>', close: '</seed:tool_call>' } as const;
export const LFM = { open: '<|tool_call_start|>', close: '<|tool_call_end|>' } as const;
export const DSML = { open: '<｜DSML｜function_calls>', close: '</｜DSML｜function_calls>' } as const;
export const COMMAND = {
  open: '<|START_ACTION|>',
  close: '<|END_ACTION|>',
  id: 'tool_call_id',
  name: 'tool_name',
} as const;
export const MINIMAX = { open: '<minimax:tool_call>', close: '</minimax:tool_call>' } as const;

/** Marks of a section of calls whose arguments are JSON. */
export interface SectionFrame {
  readonly open: string;
  readonly close: string;
  readonly call: string;
  /** Between what names the call and its arguments. */
  readonly separator: string;
  readonly callEnd: string;
  /** The name within what stands before the separator. */
  readonly name: RegExp;
}

/** Source: Kimi K2 template: the id of a call is `functions.NAME:NUMBER`. */
export const KIMI_FRAME = {
  open: '<|tool_calls_section_begin|>',
  close: '<|tool_calls_section_end|>',
  call: '<|tool_call_begin|>',
  separator: '<|tool_call_argument_begin|>',
  callEnd: '<|tool_call_end|>',
  name: /^(?:functions\.)?([\w.-]+?)(?::\d+)?$/,
} as const satisfies SectionFrame;

/** Source: Solar Open template: the id of a call stands before its name. */
export const SOLAR_FRAME = {
  open: '<|tool_calls|>',
  close: '<|calls|>',
  call: '<|tool_call:begin|>',
  separator: '<|tool_call:args|>',
  callEnd: '<|tool_call:end|>',
  name: /^[\w-]*<\|tool_call:name\|>([\w.-]+)$/,
} as const satisfies SectionFrame;

/** Marks of a call whose arguments stand one by one between tags. */
export interface ParameterFrame {
  /** Before the name; empty where it stands first. */
  readonly head: string;
  /** What ends the name; empty where the next tag does. */
  readonly nameEnd: string;
  readonly key: string;
  readonly keyEnd: string;
  /** Before the value; empty where it follows its key. */
  readonly value: string;
  readonly valueEnd: string;
  /** Marks after the last parameter, which end the call. */
  readonly ends: readonly string[];
  /** A line break at the beginning and the end of a value is layout. */
  readonly lines: boolean;
  /** The key ends with a quotation mark, and what follows within its tag may say whether the value is a string. */
  readonly quoted?: boolean;
}

/** Source: GLM 4.5 template. */
export const GLM_FRAME = {
  head: '',
  nameEnd: '',
  key: '<arg_key>',
  keyEnd: '</arg_key>',
  value: '<arg_value>',
  valueEnd: '</arg_value>',
  ends: [TOOL_CALL.close],
  lines: false,
} as const satisfies ParameterFrame;

/** Source: Qwen 3 Coder template. */
export const QWEN_FRAME = {
  head: '<function=',
  nameEnd: '>',
  key: '<parameter=',
  keyEnd: '>',
  value: '',
  valueEnd: '</parameter>',
  ends: ['</function>', TOOL_CALL.close],
  lines: true,
} as const satisfies ParameterFrame;

/** Source: Seed-OSS template. */
export const SEED_FRAME = {
  ...QWEN_FRAME,
  ends: ['</function>', SEED.close],
} as const satisfies ParameterFrame;

/** Source: DeepSeek V3.2 template. */
export const DSML_FRAME = {
  head: '<｜DSML｜invoke name="',
  nameEnd: '">',
  key: '<｜DSML｜parameter name="',
  keyEnd: '>',
  value: '',
  valueEnd: '</｜DSML｜parameter>',
  ends: ['</｜DSML｜invoke>', DSML.close],
  lines: false,
  quoted: true,
} as const satisfies ParameterFrame;

/** Source: MiniMax M2 template. */
export const MINIMAX_FRAME = {
  head: '<invoke name="',
  nameEnd: '">',
  key: '<parameter name="',
  keyEnd: '>',
  value: '',
  valueEnd: '</parameter>',
  ends: ['</invoke>', MINIMAX.close],
  lines: false,
  quoted: true,
} as const satisfies ParameterFrame;

/** Marks that begin calls, by the form. */
export const callMarks: Readonly<Record<ToolCallFormat, readonly string[]>> = {
  hermes: [TOOL_CALL.open],
  // The first mark is left out at times.
  'qwen-xml': [TOOL_CALL.open, QWEN_FRAME.head],
  glm: [TOOL_CALL.open],
  llama: ['<|python_tag|>'],
  'mistral-list': [MISTRAL.open],
  'mistral-args': [MISTRAL.open],
  deepseek: [DEEPSEEK.open],
  phi: [PHI.open],
  gemma: [GEMMA.open],
  hyperclova: [HYPERCLOVA.open],
  seed: [SEED.open, SEED_FRAME.head],
  lfm: [LFM.open],
  kimi: [KIMI_FRAME.open],
  solar: [SOLAR_FRAME.open],
  dsml: [DSML.open, DSML_FRAME.head],
  minimax: [MINIMAX.open, MINIMAX_FRAME.head],
  command: [COMMAND.open],
  harmony: [],
};
