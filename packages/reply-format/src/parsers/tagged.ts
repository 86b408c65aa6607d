import { firstMark, partialMark } from '../marks.ts';
import {
  COMMAND,
  DSML,
  DSML_FRAME,
  GEMMA,
  GLM_FRAME,
  KIMI_FRAME,
  LFM,
  MINIMAX,
  MINIMAX_FRAME,
  MISTRAL,
  PHI,
  type ParameterFrame,
  QWEN_FRAME,
  SEED,
  SEED_FRAME,
  SOLAR_FRAME,
  type SectionFrame,
  TOOL_CALL,
  type ToolCallFormat,
  callMarks,
} from '../tool-forms.ts';
import { DeepSeekCalls } from './deepseek-calls.ts';
import type { Family } from './family.ts';
import { GemmaCall } from './gemma-call.ts';
import { type CallReader, JsonCalls } from './json-calls.ts';
import { NamedCall } from './named-call.ts';
import { ParameterCall } from './parameter-calls.ts';
import { type OutputParser, type Piece, Pieces, type ToolDefinition } from './pieces.ts';
import { PythonCalls } from './python-calls.ts';
import { SectionCalls } from './section-calls.ts';

/**
 * Marks of calls in forms that models fall back to whose own form is weak or not known: a code block, and a name in a tag.
 * Both are calls only where they name a tool of the request. Source: Llama 3.1 model card, "User-defined custom tool
 * calling".
 */
const CODE = '```json';
const FUNCTION = QWEN_FRAME.head;
const FALLBACK_FAMILIES: ReadonlySet<string> = new Set(['generic', 'gemma', 'llama', 'mistral']);

/** Marks after complete calls that say no more than that, by what began the calls. */
const closeMarks: Readonly<Record<string, readonly string[]>> = {
  [TOOL_CALL.open]: [TOOL_CALL.close],
  [PHI.open]: [PHI.close],
  // The answer of the tool is the next that the model expects.
  [GEMMA.open]: ['<|tool_response>'],
  [CODE]: ['```'],
  [FUNCTION]: QWEN_FRAME.ends,
  [SEED.open]: [SEED.close],
  [LFM.open]: [LFM.close],
  [KIMI_FRAME.open]: [KIMI_FRAME.close],
  [SOLAR_FRAME.open]: [SOLAR_FRAME.close],
  [DSML.open]: [DSML.close],
  [DSML_FRAME.head]: [DSML.close],
  [MINIMAX.open]: [MINIMAX.close],
  [MINIMAX_FRAME.head]: [MINIMAX.close],
  [COMMAND.open]: [COMMAND.close],
};

/** Families whose calls have their arguments one by one between tags. */
const parameterFrames: Partial<Record<ToolCallFormat, ParameterFrame>> = {
  glm: GLM_FRAME,
  'qwen-xml': QWEN_FRAME,
  seed: SEED_FRAME,
  dsml: DSML_FRAME,
  minimax: MINIMAX_FRAME,
};

/** Families whose calls stand in a section, each with a name and JSON. */
const sectionFrames: Partial<Record<ToolCallFormat, SectionFrame>> = { kimi: KIMI_FRAME, solar: SOLAR_FRAME };

/** Control tokens of templates: never a part of an answer. */
const CONTROL_TOKENS = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|end_of_text|>',
  '<|start_header_id|>',
  '<|end_header_id|>',
  '<|begin_of_text|>',
  '<|end|>',
  '<|assistant|>',
  '<|user|>',
  '<|system|>',
  '<|observation|>',
  '<|return|>',
  '<|call|>',
  '<end_of_turn>',
  '<|turn>',
  '<turn|>',
  '<start_of_turn>',
  '[|endofturn|]',
  '[INST]',
  '[/INST]',
  '</s>',
  '<｜end▁of▁sentence｜>',
  '<｜begin▁of▁sentence｜>',
  '<｜User｜>',
  '<｜Assistant｜>',
  '<seed:bos>',
  '<seed:eos>',
  '<|im_middle|>',
  '<|im_assistant|>',
  '<|im_user|>',
  '<|im_system|>',
  '<|begin|>',
  '<|content|>',
  '<|flush|>',
  '<|START_RESPONSE|>',
  '<|END_RESPONSE|>',
  '<|START_TEXT|>',
  '<|END_TEXT|>',
  '<|START_OF_TURN_TOKEN|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|CHATBOT_TOKEN|>',
] as const;

type Mode = 'start' | 'reasoning' | 'content' | 'calls' | 'after-calls';

export interface TaggedOptions {
  readonly family: Family;
  /** The prompt ended inside an open thinking block. */
  readonly thinkingOpen: boolean;
  /** The tools of the request; null where it has none, so that text that looks like a call is text. */
  readonly tools: readonly ToolDefinition[] | null;
  /** Control tokens that are left out of the answer; by default those of all families. */
  readonly controlTokens?: readonly string[];
}

/** Reads replies in which tags stand around thinking and calls. */
export class TaggedParser implements OutputParser {
  readonly #family: Family;
  readonly #tools: readonly ToolDefinition[] | null;
  readonly #callMarks: readonly string[];
  readonly #contentMarks: readonly string[];
  readonly #thinkMarks: readonly string[];
  readonly #out = new Pieces();
  #mode: Mode;
  #held = '';
  /** White space that is layout unless text follows. */
  #space = '';
  /** Nothing of the thinking or the answer was given out: white space before it is layout. */
  #fresh = true;
  #reader: CallReader | null = null;
  /** The mark that began the calls, and the white space before it, for the case that they are none. */
  #opening = '';
  #openingSpace = '';

  constructor({ family, thinkingOpen, tools, controlTokens = CONTROL_TOKENS }: TaggedOptions) {
    this.#family = family;
    this.#tools = tools;
    this.#mode = thinkingOpen ? 'reasoning' : 'start';
    const fallbacks = FALLBACK_FAMILIES.has(family.name) ? [CODE, FUNCTION] : [];
    this.#callMarks = tools === null ? [] : [...callMarks[family.tools], ...fallbacks];
    this.#contentMarks = [...this.#callMarks, ...controlTokens];
    const { close } = family.think;
    // Tokens that the end of the thinking is made of wait for all of it.
    this.#thinkMarks = [close, ...controlTokens.filter((mark) => !close.includes(mark))];
  }

  get inReasoning(): boolean {
    return this.#mode === 'reasoning';
  }

  get openingRest(): string {
    const { open } = this.#family.think;
    const text = this.#held.trimStart();
    const begun = this.#mode === 'start' && text !== '' && this.#mayBecome(text, [open]);
    return begun && !this.#mayBecome(text, this.#callMarks) ? open.slice(text.length) : '';
  }

  get closingRest(): string {
    if (this.#mode !== 'reasoning') return '';
    const { close } = this.#family.think;
    return close.slice(partialMark(this.#held, [close]));
  }

  continuesAfter(endToken: string): boolean {
    return this.#mode === 'reasoning' && endToken !== '' && this.#family.think.close.startsWith(endToken);
  }

  push(text: string): Piece[] {
    this.#held += text;
    while (this.#step());
    return this.#out.take();
  }

  end(): Piece[] {
    const rest = this.#held;
    if (this.#mode === 'calls' && this.#reader) {
      const plain = this.#reader.end();
      if (this.#reader.failed) this.#content(this.#openingSpace + this.#opening + plain);
      else if (plain !== '') this.#content(plain);
    } else if (this.#mode === 'reasoning') this.#emit('reasoning', rest);
    else if (this.#mode !== 'after-calls' || !this.#mayBecome(rest.trim(), ['', ...this.#ends])) this.#content(rest);
    return this.#out.take();
  }

  /** One step; whether there may be another. */
  #step(): boolean {
    switch (this.#mode) {
      case 'start':
        return this.#start();
      case 'reasoning':
        return this.#reason();
      case 'content':
        return this.#answer();
      case 'calls':
        return this.#call();
      case 'after-calls':
        return this.#afterCalls();
    }
  }

  /** Whether a text may yet become one of the marks. */
  #mayBecome(text: string, marks: readonly string[]): boolean {
    return marks.some((mark) => mark.startsWith(text));
  }

  #start(): boolean {
    const { think, tools } = this.#family;
    const text = this.#held.trimStart();
    // A mark that begins with white space is looked for before it is taken for layout.
    const spaced = this.#callMarks.find((mark) => this.#held.startsWith(mark));
    if (spaced !== undefined) return this.#openCalls(spaced, this.#held.slice(spaced.length));
    if (text === '' || this.#mayBecome(this.#held, this.#callMarks)) return false;
    if (text.startsWith(think.open)) return this.#enter('reasoning', text.slice(think.open.length));
    if (this.#mayBecome(text, [think.open])) return false;
    if (tools === 'llama' && this.#tools !== null && text.startsWith('{')) return this.#openCalls('', text);
    return this.#enter('content', text);
  }

  #enter(mode: Mode, rest: string): boolean {
    this.#mode = mode;
    this.#held = rest;
    this.#space = '';
    this.#fresh = true;
    return rest !== '';
  }

  #openCalls(mark: string, rest: string): boolean {
    this.#opening = mark;
    this.#openingSpace = this.#space;
    this.#reader = this.#createReader(mark);
    return this.#enter('calls', rest);
  }

  #createReader(mark: string): CallReader {
    const tools = this.#tools ?? [];
    const out = this.#out;
    const names = tools.map((tool) => tool.function.name);
    // Without a mark of the family only the name of a tool tells a call from an answer.
    const isTool = (name: string) => names.includes(name);
    if (mark === CODE) return new JsonCalls({ out, close: '```', isTool });
    if (mark === '') return new JsonCalls({ out, isTool });
    switch (this.#family.tools) {
      case 'deepseek':
        return new DeepSeekCalls(out);
      case 'gemma':
        return new GemmaCall(out);
      case 'lfm':
        return new PythonCalls(out);
      default:
    }
    const frame = parameterFrames[this.#family.tools];
    if (frame) return new ParameterCall({ out, frame, tools, named: frame.head === '' || mark === frame.head });
    const section = sectionFrames[this.#family.tools];
    if (section) return new SectionCalls(out, section);
    if (mark === FUNCTION) return new NamedCall({ out, separator: '>', names });
    if (this.#family.tools === 'mistral-args') return new NamedCall({ out, separator: MISTRAL.args });
    const keys = this.#family.tools === 'command' ? COMMAND : undefined;
    return new JsonCalls({ out, close: closeMarks[mark]?.[0] ?? '', keys });
  }

  #reason(): boolean {
    const { close } = this.#family.think;
    const found = firstMark(this.#held, this.#thinkMarks);
    const end = found ? found.at : this.#held.length - partialMark(this.#held, this.#thinkMarks);
    this.#emit('reasoning', this.#held.slice(0, end));
    this.#held = this.#held.slice(end);
    if (!found) return false;
    const rest = this.#held.slice(found.mark.length);
    if (found.mark === close) return this.#enter('start', rest);
    this.#held = rest;
    return rest !== '';
  }

  #answer(): boolean {
    const found = firstMark(this.#held, this.#contentMarks);
    const end = found ? found.at : this.#held.length - partialMark(this.#held, this.#contentMarks);
    this.#emit('content', this.#held.slice(0, end));
    this.#held = this.#held.slice(end);
    if (!found) return false;
    const rest = this.#held.slice(found.mark.length);
    if (this.#callMarks.includes(found.mark)) return this.#openCalls(found.mark, rest);
    this.#held = rest;
    return rest !== '';
  }

  #call(): boolean {
    const reader = this.#reader;
    if (!reader) return false;
    const rest = reader.push(this.#held);
    if (rest === null) {
      this.#held = '';
      return false;
    }
    if (!reader.failed) return this.#enter('after-calls', rest);
    this.#mode = 'content';
    this.#content(this.#openingSpace + this.#opening + reader.raw);
    this.#held = rest;
    return rest !== '';
  }

  /** Marks that may follow the calls that were read. */
  get #ends(): readonly string[] {
    const turn = this.#family.tools === 'llama' ? ['<|eom_id|>', '<|eot_id|>'] : [];
    return [...(closeMarks[this.#opening] ?? []), ...turn];
  }

  /** Closing marks and further calls; then whatever the model still says. */
  #afterCalls(): boolean {
    const close = this.#ends;
    const more = this.#family.tools === 'llama' ? [';', ...this.#callMarks] : this.#callMarks;
    const text = this.#held.trimStart();
    const closing = close.find((mark) => text.startsWith(mark));
    // The end of a code block is how the next one begins.
    const longer = closing !== undefined && more.some((mark) => mark.startsWith(closing));
    if (longer && more.some((mark) => mark.startsWith(text))) return false;
    const another = longer && more.some((mark) => mark !== ';' && text.startsWith(mark));
    if (!another && closing !== undefined) return this.#enter('after-calls', text.slice(closing.length));
    if (more.includes(text.charAt(0))) return this.#enter('after-calls', text.slice(1));
    const isCall = more.some((mark) => text.startsWith(mark) || this.#held.startsWith(mark));
    if (!isCall && (text === '' || this.#mayBecome(text, [...close, ...more]) || this.#mayBecome(this.#held, more)))
      return false;
    if (this.#family.tools === 'llama' && text.startsWith('{')) return this.#openCalls('', text);
    return this.#enter('content', this.#held);
  }

  /** Text of which white space at the end waits for what follows it. */
  #emit(type: 'reasoning' | 'content', text: string): void {
    const trimmed = text.trimEnd();
    if (trimmed === '') {
      if (!this.#fresh) this.#space += text;
      return;
    }
    this.#out.text(type, this.#fresh ? trimmed.trimStart() : this.#space + trimmed);
    this.#fresh = false;
    this.#space = text.slice(trimmed.length);
  }

  /** Text as it is, with the white space that waited. */
  #content(text: string): void {
    this.#out.text('content', this.#space + text);
    this.#fresh = false;
  }
}
