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
  | 'hyperclova';

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
  harmony: [],
};
