import { HARMONY, harmonyCall, harmonyHeader } from '@ai-studio/reply-format/harmony.ts';
import type { Family, ToolDefinition } from '@ai-studio/reply-format/parsers/index.ts';
import {
  COMMAND,
  DEEPSEEK,
  DSML,
  DSML_FRAME,
  GEMMA,
  GLM_FRAME,
  HYPERCLOVA,
  KIMI_FRAME,
  LFM,
  MINIMAX,
  MINIMAX_FRAME,
  MISTRAL,
  PHI,
  QWEN_FRAME,
  SEED,
  SOLAR_FRAME,
  TOOL_CALL,
  type ToolCallFormat,
} from '@ai-studio/reply-format/tool-forms.ts';
import { type GrammarBuilder, createGrammarBuilder } from './builder.ts';
import { isSchema } from './keywords.ts';
import { anyOf, literal } from './text.ts';

/** A grammar of a reply. */
export interface ReplyGrammar {
  /** GBNF with the rule `root`. */
  readonly text: string;
  /** It covers the whole reply, thinking included; otherwise it holds from the end of the thinking on. */
  readonly whole: boolean;
  /** The field of the request that it comes from. */
  readonly param: string;
}

export interface ToolGrammarOptions {
  readonly family: Family;
  readonly tools: readonly ToolDefinition[];
  readonly choice: 'required' | { readonly name: string };
  /** Whether there may be several calls. */
  readonly parallel: boolean;
}

/** One tool that may be called. `at` is its place in the request. */
interface Callable {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly at: string;
}

/** Texts around calls. */
interface Form {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  readonly call: (builder: GrammarBuilder, tool: Callable) => string;
}

const argumentsOf = (builder: GrammarBuilder, { parameters, at }: Callable) => builder.schema(parameters, at);

const jsonCall =
  (key: 'arguments' | 'parameters') =>
  (builder: GrammarBuilder, tool: Callable): string =>
    `${literal(`{"name": ${JSON.stringify(tool.name)}, "${key}": `)} ${argumentsOf(builder, tool)} "}"`;

/** The parameters of a tool, in their order. */
function propertiesOf(parameters: Callable['parameters']) {
  const properties = isSchema(parameters['properties']) ? parameters['properties'] : {};
  const required = Array.isArray(parameters['required']) ? (parameters['required'] as unknown[]) : [];
  return Object.entries(properties).map(([key, schema]) => ({ key, schema, isRequired: required.includes(key) }));
}

/** Parameters one after the other, each between tags; those that are not required may be left out. */
const taggedCall =
  (frame: { open: (name: string) => string; key: (name: string) => string; end: string; close: string }) =>
  (builder: GrammarBuilder, { name, parameters, at }: Callable): string => {
    const whole = builder.parts(parameters, at);
    const parts = propertiesOf(parameters).map(({ key, schema, isRequired }) => {
      const value = whole.tagged(schema, `${at}.properties.${key}`);
      const pair = builder.rule(key, `${literal(frame.key(key))} ${value} ${literal(frame.end)}`);
      return isRequired ? pair : `${pair}?`;
    });
    return [literal(frame.open(name)), ...parts, literal(frame.close)].join(' ');
  };

/** Whether a value is a text that stands as it is: one without a list of values or a form. */
const isPlainText = (schema: unknown): boolean =>
  isSchema(schema) &&
  schema['type'] === 'string' &&
  Object.keys(schema).every((key) => ['type', 'title', 'description', 'default', 'examples'].includes(key));

/** Parameters whose tag says whether the value is a text as it is, or JSON. */
const signedCall = (builder: GrammarBuilder, { name, parameters, at }: Callable): string => {
  const whole = builder.parts(parameters, at);
  const parts = propertiesOf(parameters).map(({ key, schema, isRequired }) => {
    const path = `${at}.properties.${key}`;
    const isText = isPlainText(schema);
    const value = isText ? whole.tagged(schema, path) : whole.value(schema, path);
    const open = literal(`${DSML_FRAME.key}${key}" string="${isText}"${DSML_FRAME.keyEnd}`);
    const pair = builder.rule(key, `${open} ${value} ${literal(`${DSML_FRAME.valueEnd}\n`)}`);
    return isRequired ? pair : `${pair}?`;
  });
  return [literal(`${DSML_FRAME.head}${name}${DSML_FRAME.nameEnd}\n`), ...parts, literal(DSML_FRAME.ends[0])].join(' ');
};

/** Arguments by name, with commas between those that are there. */
const pythonCall = (builder: GrammarBuilder, { name, parameters, at }: Callable): string => {
  const whole = builder.parts(parameters, at);
  const pairs = propertiesOf(parameters).map(({ key, schema, isRequired }) => ({
    isRequired,
    rule: builder.rule(key, `${literal(`${key}=`)} ${whole.value(schema, `${at}.properties.${key}`)}`),
  }));
  // Those that may stand first: up to the first that must be there.
  const firstRequired = pairs.findIndex(({ isRequired }) => isRequired);
  const starts = pairs.slice(0, firstRequired < 0 ? pairs.length : firstRequired + 1).map((first, i) => {
    const others = pairs.slice(i + 1).map(({ rule, isRequired }) => `(", " ${rule})${isRequired ? '' : '?'}`);
    return [first.rule, ...others].join(' ');
  });
  const all = starts.length === 0 ? '' : ` (${starts.join(' | ')})${firstRequired < 0 ? '?' : ''}`;
  return `${literal(`${name}(`)}${all} ")"`;
};

const forms: Readonly<Record<ToolCallFormat, Form>> = {
  hermes: {
    open: `${TOOL_CALL.open}\n`,
    between: `\n${TOOL_CALL.close}\n${TOOL_CALL.open}\n`,
    close: `\n${TOOL_CALL.close}`,
    call: jsonCall('arguments'),
  },
  'qwen-xml': {
    open: '',
    between: '\n',
    close: '',
    call: taggedCall({
      open: (name) => `${TOOL_CALL.open}\n${QWEN_FRAME.head}${name}${QWEN_FRAME.nameEnd}\n`,
      key: (key) => `${QWEN_FRAME.key}${key}${QWEN_FRAME.keyEnd}\n`,
      end: `\n${QWEN_FRAME.valueEnd}\n`,
      close: QWEN_FRAME.ends.join('\n'),
    }),
  },
  glm: {
    open: '',
    between: '\n',
    close: '',
    call: taggedCall({
      open: (name) => `${TOOL_CALL.open}${name}\n`,
      key: (key) => `${GLM_FRAME.key}${key}${GLM_FRAME.keyEnd}\n${GLM_FRAME.value}`,
      end: `${GLM_FRAME.valueEnd}\n`,
      close: TOOL_CALL.close,
    }),
  },
  llama: { open: '', between: '; ', close: '', call: jsonCall('parameters') },
  'mistral-list': { open: `${MISTRAL.open}[`, between: ', ', close: ']', call: jsonCall('arguments') },
  'mistral-args': {
    open: '',
    between: '',
    close: '',
    call: (builder, tool) => `${literal(`${MISTRAL.open}${tool.name}${MISTRAL.args}`)} ${argumentsOf(builder, tool)}`,
  },
  deepseek: {
    open: DEEPSEEK.open,
    between: '\n',
    close: DEEPSEEK.close,
    call: (builder, tool) =>
      `${literal(`${DEEPSEEK.call}function${DEEPSEEK.separator}${tool.name}${DEEPSEEK.code}`)} ${argumentsOf(builder, tool)} ${literal(`${DEEPSEEK.codeEnd}${DEEPSEEK.callEnd}`)}`,
  },
  phi: { open: `${PHI.open}[`, between: ', ', close: `]${PHI.close}`, call: jsonCall('arguments') },
  gemma: {
    open: '',
    between: '',
    close: '',
    // Arguments may be JSON, which the grammar of a schema writes.
    call: (builder, tool) =>
      `${literal(`${GEMMA.open}${GEMMA.head}${tool.name}`)} ${argumentsOf(builder, tool)} ${literal(GEMMA.close)}`,
  },
  seed: {
    open: '',
    between: '\n',
    close: '',
    call: taggedCall({
      open: (name) => `${SEED.open}\n${QWEN_FRAME.head}${name}${QWEN_FRAME.nameEnd}\n`,
      key: (key) => `${QWEN_FRAME.key}${key}${QWEN_FRAME.keyEnd}`,
      end: `${QWEN_FRAME.valueEnd}\n`,
      close: `</function>\n${SEED.close}`,
    }),
  },
  lfm: { open: `${LFM.open}[`, between: ', ', close: `]${LFM.close}`, call: pythonCall },
  kimi: {
    open: KIMI_FRAME.open,
    between: '',
    close: KIMI_FRAME.close,
    // The number of a call is its place; the model may write any.
    call: (builder, tool) =>
      `${literal(`${KIMI_FRAME.call}functions.${tool.name}:`)} [0-9] [0-9]? ${literal(KIMI_FRAME.separator)} ${argumentsOf(builder, tool)} ${literal(KIMI_FRAME.callEnd)}`,
  },
  solar: {
    open: SOLAR_FRAME.open,
    between: '',
    close: SOLAR_FRAME.close,
    call: (builder, tool) =>
      `${literal(SOLAR_FRAME.call)} [a-z0-9]{10} ${literal(`<|tool_call:name|>${tool.name}${SOLAR_FRAME.separator}`)} ${argumentsOf(builder, tool)} ${literal(SOLAR_FRAME.callEnd)}`,
  },
  dsml: { open: `${DSML.open}\n`, between: '\n', close: `\n${DSML.close}`, call: signedCall },
  minimax: {
    open: `${MINIMAX.open}\n`,
    between: '\n',
    close: `\n${MINIMAX.close}`,
    call: taggedCall({
      open: (name) => `${MINIMAX_FRAME.head}${name}${MINIMAX_FRAME.nameEnd}\n`,
      key: (key) => `${MINIMAX_FRAME.key}${key}">`,
      end: `${MINIMAX_FRAME.valueEnd}\n`,
      close: MINIMAX_FRAME.ends[0],
    }),
  },
  command: {
    open: `${COMMAND.open}[\n`,
    between: ',\n',
    close: `\n]${COMMAND.close}`,
    // The number of a call is its place; the model may write any.
    call: (builder, tool) =>
      `${literal(`    {"${COMMAND.id}": "`)} [0-9] [0-9]? ${literal(`", "${COMMAND.name}": ${JSON.stringify(tool.name)}, "parameters": `)} ${argumentsOf(builder, tool)} "}"`,
  },
  hyperclova: { open: `${HYPERCLOVA.open}[`, between: ', ', close: ']', call: jsonCall('arguments') },
  harmony: {
    open: '',
    between: '',
    close: '',
    call: (builder, tool) =>
      `${literal(harmonyCall(tool.name))} ${argumentsOf(builder, tool)} ${literal(HARMONY.call)}`,
  },
};

/** Thinking in the analysis channel, which comes before the answer or the call. Source: OpenAI, "harmony response format". */
const ANALYSIS = `(${literal(harmonyHeader('analysis'))} ([^<] | "<" [^|])* ${literal(`${HARMONY.end}${HARMONY.start}assistant`)})?`;

const isHarmony = ({ tools }: Family) => tools === 'harmony';

/** Grammar of an answer that is JSON: any object where the schema is null. Throws RequestError. */
export function jsonReplyGrammar(family: Family, schema: unknown): ReplyGrammar {
  const builder = createGrammarBuilder();
  const param = schema === null ? 'response_format' : 'response_format.json_schema.schema';
  const json = schema === null ? builder.anyObject() : builder.schema(schema, param);
  if (!isHarmony(family)) return { text: builder.text(json), whole: false, param };
  return { text: builder.text(`${ANALYSIS} ${literal(harmonyHeader('final'))} ${json}`), whole: true, param };
}

/** Grammar of an answer that calls one of the tools, or the one that is named. Throws RequestError. */
export function toolGrammar({ family, tools, choice, parallel }: ToolGrammarOptions): ReplyGrammar {
  const builder = createGrammarBuilder();
  const { open, between, close, call } = forms[family.tools];
  const calls = tools.flatMap(({ function: { name, parameters } }, i) => {
    if (choice !== 'required' && choice.name !== name) return [];
    const schema = isSchema(parameters) ? parameters : {};
    const at = `tools[${i}].function.parameters`;
    // Arguments are an object, also where the schema does not say so.
    return [builder.rule('call', call(builder, { name, parameters: { type: 'object', ...schema }, at }))];
  });
  const one = builder.rule('tool', anyOf(calls));
  const several = parallel && !isHarmony(family) ? ` (${between === '' ? '' : `${literal(between)} `}${one})*` : '';
  const all = [open === '' ? '' : literal(open), `${one}${several}`, close === '' ? '' : literal(close)];
  const root = all.filter((part) => part !== '').join(' ');
  return isHarmony(family)
    ? { text: builder.text(`${ANALYSIS} ${root}`), whole: true, param: 'tools' }
    : { text: builder.text(root), whole: false, param: 'tools' };
}
