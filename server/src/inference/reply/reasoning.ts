import { HarmonyReader, bareHarmony, harmonyStarts } from '@ai-studio/reply-format/harmony.ts';
import { firstMark, partialMark } from '@ai-studio/reply-format/marks.ts';
import { type ThinkTags, thinkTags } from '@ai-studio/reply-format/think-tags.ts';
import { toolCallId } from '../../kernel/ids.ts';
import { type JsonText, fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ReasoningFormat } from '../../models/profile.ts';
import type { ChatEvent, ChatSink } from '../../ports/engine.ts';

const allTags: readonly ThinkTags[] = Object.values(thinkTags);
const openTags = allTags.map(({ open }) => open);
const closeTags = allTags.map(({ close }) => close);
const longestClose = Math.max(...closeTags.map((tag) => tag.length));

/** What was seen of a model's engine: where its thinking stands. */
export type ReasoningStyle = 'field' | 'tags' | 'open' | 'plain';

/** Remembers per engine and model what was seen, so that only the first reply of an unknown engine is held back. */
export interface ReasoningMemory {
  get(key: string): ReasoningStyle | undefined;
  set(key: string, style: ReasoningStyle): void;
  delete(key: string): void;
}

export interface SplitOptions {
  /** Names engine and model in the memory. Read when a reply has begun, as another engine may take over before. */
  readonly memoryKey: () => string;
  /** Whether the request has stop strings: a reply that ends at one may have ended within its thinking. */
  readonly stops: boolean;
  readonly format: ReasoningFormat;
  /** Whether the model is to think in this reply. */
  readonly expected: boolean;
  readonly controlTokens: readonly string[];
  readonly memory: ReasoningMemory;
}

/** First characters of tokens, by their list: the same few lists come again with every call. */
const knownStarts = new WeakMap<readonly string[], string>();

function startsOf(tokens: readonly string[]): string {
  let starts = knownStarts.get(tokens);
  if (starts === undefined)
    knownStarts.set(tokens, (starts = [...new Set(tokens.map((token) => token.charAt(0)))].join('')));
  return starts;
}

/** UTF-8 lead bytes that white space beyond ASCII may have, and what tags and escapes begin with. */
const notPlain: ReadonlySet<number> = new Set([0xc2, 0xe1, 0xe2, 0xe3, 0xef, 0x3c, 0x5b, 0x5c]);

/** Whether a text surely begins with neither white space nor a tag. */
function beginsPlainly(json: JsonText): boolean {
  const first = json.charCodeAt(0);
  return first > 0x20 && !notPlain.has(first);
}

/** Where a choice stands. `start`: nothing of the answer was seen yet. `hold`: it may be thinking without its opening tag. */
type State = 'start' | 'think' | 'hold' | 'answer' | 'harmony';

/**
 * Separates thinking from the answer in one choice, wherever the engine put it, and takes the chat template's control
 * tokens out of the answer. The joined result is the same however the text is cut.
 */
class ChoiceSplitter {
  private state: State = 'start';
  private pending = '';
  /** In `hold`: the pieces before `pending`, which then is only as long as a tag. */
  private held: string[] = [];
  private closes: readonly string[] = closeTags;
  /** At the start of thinking and after it, white space is layout, not text. */
  private trimming = false;
  private thought = false;
  /** Thinking that was taken for such without an opening tag. */
  private assumed = false;
  private harmony: HarmonyReader | undefined;
  private toolCalls = 0;
  private logprobs: Record<string, unknown> | undefined;
  private readonly choice: number;
  private readonly options: SplitOptions;
  private readonly marks: readonly string[];
  private readonly markStarts: string;
  private readonly out: ChatSink;

  constructor(choice: number, options: SplitOptions, out: ChatSink) {
    this.choice = choice;
    this.options = options;
    this.out = out;
    this.marks = options.controlTokens;
    this.markStarts = startsOf(options.controlTokens);
  }

  content(event: ChatEvent & { type: 'text' }): void {
    if (this.state === 'start' && this.pending === '' && beginsPlainly(event.json)) this.startPlainly();
    if (this.state === 'answer' && this.pending === '' && !this.maybeMarked(event.json)) {
      this.out(event);
      return;
    }
    this.logprobs = event.logprobs ? mergeLogprobs(this.logprobs, event.logprobs) : this.logprobs;
    this.feed(fromJsonText(event.json));
  }

  /** The engine itself says that this is thinking. */
  reasoning(event: ChatEvent & { type: 'text' }): void {
    if (!this.thought && this.state === 'start') this.options.memory.set(this.options.memoryKey(), 'field');
    this.thought = true;
    this.out(event);
  }

  /** A tool call begins: the text before it is whole. White space between thinking and a call is layout. */
  toolCall(): void {
    if (this.state === 'start' && this.pending.trim() === '') this.pending = '';
    this.flush();
  }

  private flush(): void {
    if (this.state === 'harmony') return;
    if (this.state === 'think') {
      this.emit('reasoning', this.take());
      return;
    }
    if (this.state === 'hold') this.pending = this.takeHeld();
    if (this.state !== 'answer') this.answer();
    this.emit('content', this.take());
  }

  finish(event: ChatEvent & { type: 'finish' }): void {
    const { memory, memoryKey, stops } = this.options;
    this.harmony?.end();
    if (this.state === 'think' && this.assumed && event.reason === 'stop') memory.delete(memoryKey());
    if (this.state === 'hold' && event.reason === 'stop' && !stops) memory.set(memoryKey(), 'plain');
    this.flush();
    this.out(this.toolCalls > 0 && event.reason === 'stop' ? { ...event, reason: 'tool_calls' } : event);
  }

  /** Gives out what was held back of a reply that was cut, as what it looks like so far. */
  cut(): void {
    this.harmony?.end();
    this.flush();
  }

  private maybeMarked(json: JsonText): boolean {
    for (let i = 0; i < this.markStarts.length; i++) if (json.includes(this.markStarts.charAt(i))) return true;
    return this.markStarts !== '' && json.includes('\\u');
  }

  private take(): string {
    const text = this.pending;
    this.pending = '';
    return text;
  }

  private feed(text: string): void {
    if (this.state === 'harmony') {
      this.harmony?.push(text);
      return;
    }
    this.pending += text;
    while (this.step());
  }

  /** One step of the state machine; true when there may be another. */
  private step(): boolean {
    if (this.state === 'start') return this.start();
    if (this.state === 'think') return this.think();
    if (this.state === 'hold') return this.hold();
    return this.clean();
  }

  /** The answer begins with text that can be no tag: it need not be decoded to see what it is. */
  private startPlainly(): void {
    const { format, expected, memory, memoryKey } = this.options;
    if (format === 'harmony') return;
    if (format !== 'field' && !this.thought && expected) {
      const style = format === 'auto' ? memory.get(memoryKey()) : format;
      if (style === undefined || style === 'open') return;
    }
    this.state = 'answer';
    this.trimming = false;
  }

  private start(): boolean {
    const text = this.pending.trimStart();
    if (text === '') return false;
    const { format } = this.options;
    if (format === 'auto' || format === 'harmony') {
      if (harmonyStarts.some((mark) => text.startsWith(mark))) return this.startHarmony(text);
      if (harmonyStarts.some((mark) => mark.startsWith(text))) return false;
    }
    if (format === 'harmony') {
      if (text.startsWith(bareHarmony.open))
        return this.startThinking(text.slice(bareHarmony.open.length), [bareHarmony.close]);
      if (bareHarmony.open.startsWith(text)) return false;
      return this.answer();
    }
    if (format === 'field') return this.answer();
    return this.startTagged(text);
  }

  private startTagged(text: string): boolean {
    const { format, expected, memory, memoryKey } = this.options;
    const tags = allTags.find(({ open }) => text.startsWith(open));
    if (tags !== undefined) {
      if (format === 'auto') memory.set(memoryKey(), 'tags');
      return this.startThinking(text.slice(tags.open.length), [tags.close]);
    }
    const close = closeTags.find((tag) => text.startsWith(tag));
    if (close !== undefined) {
      this.pending = text.slice(close.length);
      this.trimming = true;
      this.thought = true;
      return true;
    }
    if (openTags.some((tag) => tag.startsWith(text)) || closeTags.some((tag) => tag.startsWith(text))) return false;
    if (this.thought || !expected) return this.answer();
    const style = format === 'auto' ? memory.get(memoryKey()) : format;
    if (style === 'open') {
      this.assumed = true;
      return this.startThinking(text, closeTags);
    }
    if (style !== undefined) return this.answer();
    this.state = 'hold';
    return true;
  }

  private startThinking(rest: string, closes: readonly string[]): boolean {
    this.state = 'think';
    this.thought = true;
    this.trimming = true;
    this.closes = closes;
    this.pending = rest;
    return true;
  }

  private startHarmony(text: string): boolean {
    this.state = 'harmony';
    this.pending = '';
    this.harmony = new HarmonyReader({
      text: (channel, piece) => this.emit(channel, piece),
      call: (name) => {
        this.out({ type: 'tool_call', choice: this.choice, call: this.toolCalls++, id: toolCallId(), name });
      },
      arguments: (piece) => {
        this.out({ type: 'tool_arguments', choice: this.choice, call: this.toolCalls - 1, json: toJsonText(piece) });
      },
    });
    this.harmony.push(text);
    return false;
  }

  private think(): boolean {
    if (this.trimming) {
      this.pending = this.pending.trimStart();
      if (this.pending === '') return false;
      this.trimming = false;
    }
    const close = firstMark(this.pending, this.closes);
    const end = close ? close.at : this.pending.length - partialMark(this.pending, this.closes);
    const safe = this.pending.slice(0, end).trimEnd().length;
    this.emit('reasoning', this.pending.slice(0, safe));
    if (!close) {
      this.pending = this.pending.slice(safe);
      return false;
    }
    this.pending = this.pending.slice(close.at + close.mark.length);
    this.state = 'start';
    this.trimming = true;
    return true;
  }

  private hold(): boolean {
    const close = firstMark(this.pending, closeTags);
    if (!close) {
      const tail = Math.max(0, this.pending.length - longestClose);
      this.held.push(this.pending.slice(0, tail));
      this.pending = this.pending.slice(tail);
      return false;
    }
    this.options.memory.set(this.options.memoryKey(), 'open');
    return this.startThinking(this.takeHeld(), [close.mark]);
  }

  private takeHeld(): string {
    const text = this.held.join('') + this.take();
    this.held = [];
    return text;
  }

  private answer(): boolean {
    this.state = 'answer';
    if (this.trimming) this.pending = this.pending.trimStart();
    this.trimming = false;
    return this.clean();
  }

  /** Gives out answer text without control tokens, keeping back what may be the beginning of one. */
  private clean(): boolean {
    let text = this.pending;
    for (let found = firstMark(text, this.marks); found; found = firstMark(text, this.marks)) {
      this.emit('content', text.slice(0, found.at));
      text = text.slice(found.at + found.mark.length);
    }
    const safe = text.length - partialMark(text, this.marks);
    this.pending = text.slice(safe);
    this.emit('content', text.slice(0, safe));
    return false;
  }

  private emit(channel: 'content' | 'reasoning', text: string): void {
    if (text === '') return;
    const logprobs = this.logprobs;
    this.logprobs = undefined;
    this.out({ type: 'text', choice: this.choice, channel, json: toJsonText(text), ...(logprobs ? { logprobs } : {}) });
  }
}

/** Joins the token lists of two `logprobs` objects, for text that was held back over several pieces. */
function mergeLogprobs(
  before: Record<string, unknown> | undefined,
  more: Record<string, unknown>,
): Record<string, unknown> {
  if (!before) return more;
  const joined: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(more)) {
    const first = joined[key];
    joined[key] =
      Array.isArray(first) && Array.isArray(value) ? [...(first as unknown[]), ...(value as unknown[])] : value;
  }
  return joined;
}

export interface ReasoningSplit {
  readonly sink: ChatSink;
  /** The reply is cut: what was held back of it is given out, and nothing is learned of its model. */
  cut(): void;
}

/** Separates thinking from answers: what goes into its sink comes out at `out`. */
export function splitReasoning(options: SplitOptions, out: ChatSink): ReasoningSplit {
  const choices: ChoiceSplitter[] = [];
  const sink: ChatSink = (event) => {
    switch (event.type) {
      case 'text': {
        const splitter = (choices[event.choice] ??= new ChoiceSplitter(event.choice, options, out));
        if (event.channel === 'content') splitter.content(event);
        else splitter.reasoning(event);
        return;
      }
      case 'tool_call':
        choices[event.choice]?.toolCall();
        out(event);
        return;
      case 'finish':
        (choices[event.choice] ??= new ChoiceSplitter(event.choice, options, out)).finish(event);
        return;
      default:
        out(event);
    }
  };
  return { sink, cut: () => choices.forEach((choice) => choice.cut()) };
}
