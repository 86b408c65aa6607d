import type { StopReason } from '@ai-studio/contract/messages/reply.ts';
import { EMPTY_JSON_TEXT, fromJsonText, type JsonText } from '../kernel/json-text.ts';
import type { ChatEvent } from '../ports/engine.ts';
import { toJsonBytes } from '../responses/index.ts';

// The blocks of an answer and the events that tell of them, as JSON whose characters are the bytes to send (latin1): texts of the engine
// are never decoded. Source: Anthropic API reference, "Streaming messages".

/** Sends one event: its name, and its members beside `type`. */
export type Tell = (type: string, members: string) => void;

/** One block. What it holds may be told later than it comes: blocks are told one after the other. */
abstract class Block {
  /** All that it holds. */
  text: JsonText = EMPTY_JSON_TEXT;
  #told = 0;

  add(json: JsonText): void {
    this.text = (this.text + json) as JsonText;
  }

  /** What was not told yet. */
  untold(): JsonText {
    const rest = this.text.slice(this.#told) as JsonText;
    this.#told = this.text.length;
    return rest;
  }

  /** The block as it opens. */
  abstract readonly opening: string;
  /** A piece as it is told; empty where pieces are not. */
  abstract delta(json: JsonText): string;
  /** What is told at its end; empty for nothing. */
  ending(): string {
    return '';
  }
  /** Whether nothing more can come once another block has begun. */
  isOver(): boolean {
    return true;
  }
  abstract render(): string;
}

class TextBlock extends Block {
  readonly opening = '{"type":"text","text":"","citations":null}';

  delta(json: JsonText): string {
    return `{"type":"text_delta","text":"${json}"}`;
  }

  render(): string {
    return `{"type":"text","text":"${this.text}","citations":null}`;
  }
}

/** Thinking, with itself sealed as its signature. */
class ThinkingBlock extends Block {
  readonly opening = '{"type":"thinking","thinking":"","signature":""}';
  readonly #seal: (thinking: JsonText) => string;
  readonly #isShown: boolean;

  constructor(seal: (thinking: JsonText) => string, isShown: boolean) {
    super();
    this.#seal = seal;
    this.#isShown = isShown;
  }

  delta(json: JsonText): string {
    return this.#isShown ? `{"type":"thinking_delta","thinking":"${json}"}` : '';
  }

  override ending(): string {
    return `{"type":"signature_delta","signature":${toJsonBytes(this.#seal(this.text))}}`;
  }

  render(): string {
    const shown = this.#isShown ? this.text : '';
    return `{"type":"thinking","thinking":"${shown}","signature":${toJsonBytes(this.#seal(this.text))}}`;
  }
}

/** Ids of calls that clients of the interface take. */
const CALL_ID = /[^a-zA-Z0-9_-]/g;

/** A tool that the model calls. */
class CallBlock extends Block {
  readonly #head: string;
  #checked = -1;
  #isComplete = false;

  constructor(id: string, name: string) {
    super();
    this.#head = `{"type":"tool_use","id":${toJsonBytes(id.replace(CALL_ID, '_'))},"name":${toJsonBytes(name)},"input":`;
  }

  get opening(): string {
    return `${this.#head}{}}`;
  }

  delta(json: JsonText): string {
    return `{"type":"input_json_delta","partial_json":"${json}"}`;
  }

  override isOver(): boolean {
    if (this.#checked !== this.text.length) {
      this.#checked = this.text.length;
      this.#isComplete = this.#input() !== null;
    }
    return this.#isComplete;
  }

  /** Arguments that are no object, as an answer that was cut off leaves them, are none. */
  render(): string {
    return `${this.#head}${this.#input() ?? '{}'}}`;
  }

  /** The arguments as they were written; null where they are no object. */
  #input(): string | null {
    try {
      const text = fromJsonText(this.text);
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
      return Buffer.from(text, 'utf8').toString('latin1');
    } catch {
      return null;
    }
  }
}

export interface OutputOptions {
  /** Seals thinking, so that whoever keeps it can't read or change it. */
  readonly seal: (thinking: JsonText) => string;
  /** Whether the text of thinking is told. */
  readonly showsThinking: boolean;
  readonly tell: Tell;
}

/** Gathers the events of a chat as blocks of an answer, and tells of each step. */
export class MessageOutput {
  readonly #options: OutputOptions;
  readonly #blocks: Block[] = [];
  readonly #calls = new Map<number, CallBlock>();
  /** Place of the block that is told at the moment. */
  #live = 0;
  #isOpen = false;
  #finish: { readonly reason: string; readonly stop: string | null } | null = null;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  take(event: ChatEvent): void {
    if (event.type === 'text') this.#textBlock(event.channel === 'reasoning').add(event.json);
    else if (event.type === 'tool_call') {
      const block = new CallBlock(event.id, event.name);
      this.#calls.set(event.call, block);
      this.#blocks.push(block);
    } else if (event.type === 'tool_arguments') this.#calls.get(event.call)?.add(event.json);
    else if (event.type === 'finish') this.#finish = event;
    else return;
    this.#tellLive();
  }

  /** Tells all that was not told. */
  end(): void {
    for (; this.#live < this.#blocks.length; this.#live++) {
      this.#tellBlock();
      this.#close();
    }
  }

  /** The blocks, as a list in JSON. */
  render(): string {
    return `[${this.#blocks.map((block) => block.render()).join(',')}]`;
  }

  /** Why the model ended, and the stop sequence that ended it. `stops` are those of the request, `isCut` whether it ended before its limit. */
  ended(stops: readonly string[], isCut: boolean): { readonly reason: StopReason; readonly stop: string | null } {
    const { reason = 'stop', stop = null } = this.#finish ?? {};
    const ofCaller = stop !== null && stops.includes(stop) ? stop : null;
    switch (reason) {
      case 'length':
        return { reason: isCut ? 'model_context_window_exceeded' : 'max_tokens', stop: null };
      case 'content_filter':
        return { reason: 'refusal', stop: null };
      case 'tool_calls':
        return { reason: 'tool_use', stop: null };
      default:
        return { reason: ofCaller === null ? 'end_turn' : 'stop_sequence', stop: ofCaller };
    }
  }

  #textBlock(isThinking: boolean): Block {
    const last = this.#blocks.at(-1);
    const Kind = isThinking ? ThinkingBlock : TextBlock;
    if (last instanceof Kind) return last;
    const { seal, showsThinking } = this.#options;
    const block = isThinking ? new ThinkingBlock(seal, showsThinking) : new TextBlock();
    this.#blocks.push(block);
    return block;
  }

  #tellLive(): void {
    while (this.#live < this.#blocks.length) {
      this.#tellBlock();
      if (this.#live === this.#blocks.length - 1 || this.#blocks[this.#live]?.isOver() !== true) return;
      this.#close();
      this.#live++;
    }
  }

  #tellBlock(): void {
    const block = this.#blocks[this.#live];
    if (!block) return;
    const { tell } = this.#options;
    if (!this.#isOpen) {
      this.#isOpen = true;
      tell('content_block_start', `"index":${this.#live},"content_block":${block.opening}`);
    }
    const rest = block.untold();
    const delta = rest === '' ? '' : block.delta(rest);
    if (delta !== '') tell('content_block_delta', `"index":${this.#live},"delta":${delta}`);
  }

  #close(): void {
    const { tell } = this.#options;
    const ending = this.#blocks[this.#live]?.ending() ?? '';
    if (ending !== '') tell('content_block_delta', `"index":${this.#live},"delta":${ending}`);
    tell('content_block_stop', `"index":${this.#live}`);
    this.#isOpen = false;
  }
}
