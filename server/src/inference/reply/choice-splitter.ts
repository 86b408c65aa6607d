import type { HarmonyReader } from '@ai-studio/reply-format/harmony.ts';
import { CloseFinder } from '@ai-studio/reply-format/think-close.ts';
import { fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent, ChatSink } from '../../ports/engine.ts';
import { AnswerWatch } from './answer-watch.ts';
import { ControlTokenFilter } from './control-tokens.ts';
import { readHarmony } from './harmony-events.ts';
import { mergeLogprobs } from './held-logprobs.ts';
import { HeldText } from './held-text.ts';
import { type Belief, type ReasoningStyle, beliefOf } from './reasoning-memory.ts';
import type { SplitOptions } from './split-options.ts';
import { type ThinkingEnd, ThinkingText } from './thinking-text.ts';
import { beginningOf, beginsPlainly, mayHoldClose } from './thinking-tags.ts';

type Text = ChatEvent & { readonly type: 'text' };
type Finish = ChatEvent & { readonly type: 'finish' };

/** A text as long as this is not decoded only to be held. */
const LONG_CHARS = 256;

const beginsJson = /^[[{]/;

/**
 * Separates thinking from the answer in one choice, wherever the engine put it, and takes the chat template's control
 * tokens out of the answer. The joined result is the same however the text is cut. Why it decides as it does:
 * docs/decisions/thinking.md.
 *
 * At most one of `held`, `thinking` and `harmony` is there; without any, nothing of the answer was seen, or it is under way.
 */
export class ChoiceSplitter {
  private inAnswer = false;
  /** Before the answer: white space, and what may be the beginning of a tag. */
  private pending = '';
  private held: HeldText | null = null;
  private thinking: ThinkingText | null = null;
  private harmony: HarmonyReader | null = null;
  /** Looks after an answer that may be thinking. */
  private watch: AnswerWatch | null = null;
  /** After thinking, white space is layout, not text. */
  private trimming = false;
  private thought = false;
  private toolCalls = 0;
  private called = false;
  private logprobs: Record<string, unknown> | undefined;
  private readonly choice: number;
  private readonly options: SplitOptions;
  private readonly tokens: ControlTokenFilter;
  private readonly out: ChatSink;

  constructor(choice: number, options: SplitOptions, out: ChatSink) {
    this.choice = choice;
    this.options = options;
    this.out = out;
    this.tokens = new ControlTokenFilter(options.controlTokens);
  }

  content(event: Text): void {
    if (this.isFresh && beginsPlainly(event.json) && this.options.format !== 'harmony') {
      this.startText(event.json);
      if (this.keepsLong(event)) return;
    }
    if (this.inAnswer) {
      if (this.watch?.isContradicted(event.json)) this.contradicted();
      if (this.tokens.passes(event.json)) return this.out(event);
    }
    if (this.held) this.hold(this.held, this.held.push(event));
    else this.feed(event);
  }

  /** The engine itself says that this is thinking. */
  reasoning(event: Text): void {
    if (!this.thought) {
      if (this.held) this.release(false);
      this.note('field');
      this.thought = true;
      this.watch = null;
    }
    this.out(event);
  }

  /** A tool call begins: the text before it is whole. White space between thinking and a call is layout. */
  toolCall(): void {
    this.called = true;
    if (!this.inAnswer && this.pending.trim() === '') this.pending = '';
    this.flush();
  }

  finish(event: Finish): void {
    if (this.held) this.decide(this.held, event);
    else if (this.thinking?.isAssumed) this.endAssumed(this.thinking, event);
    else if (this.watch?.isContradictedAtEnd()) this.contradicted();
    else if (this.watch) this.notePlain(event);
    this.flush();
    this.out(this.toolCalls > 0 && event.reason === 'stop' ? { ...event, reason: 'tool_calls' } : event);
  }

  /** Gives out what was held back of a reply that was cut, as what it looks like so far. */
  cut(): void {
    if (this.held) this.release(this.belief().open);
    this.flush();
  }

  /** What is held back has been for long enough. */
  overdue(): void {
    const { heldMs, thinking } = this.belief();
    if (heldMs !== null) this.release(thinking);
  }

  private get key(): string {
    return this.options.memoryKey();
  }

  private belief(): Belief {
    return beliefOf(this.options.memory.get(this.key), this.options.wish);
  }

  private note(style: ReasoningStyle): void {
    this.options.memory.note(this.key, style);
  }

  /** A reply that ended by itself had no thinking. One that a stop string may have ended says nothing. */
  private notePlain(event: Finish): void {
    if (isNatural(event) && this.options.stops.length === 0) this.note('plain');
  }

  /** What was known of the model is not true of this reply, of which a part has gone out. */
  private contradicted(): void {
    // Where the model is to think, nothing is known then; elsewhere this alone shows that it does.
    if (this.options.wish.expected === true) this.options.memory.forget(this.key);
    else this.note('open');
    this.watch = null;
  }

  /** Whether nothing of the answer was seen. */
  private get isFresh(): boolean {
    return !this.inAnswer && this.pending === '' && !this.held && !this.thinking && !this.harmony;
  }

  /** Whether no tag is looked for: what the engine calls an answer is one. */
  private get isAnswer(): boolean {
    const { format, isSeparated } = this.options;
    return format === 'field' || format === 'harmony' || isSeparated();
  }

  private feed({ json, logprobs }: Text): void {
    this.addLogprobs(logprobs);
    this.take(fromJsonText(json));
  }

  private addLogprobs(logprobs: Text['logprobs']): void {
    if (logprobs) this.logprobs = mergeLogprobs(this.logprobs, logprobs);
  }

  private take(text: string): void {
    if (this.harmony) this.harmony.push(text);
    else if (this.thinking) this.think(this.thinking, text);
    else if (this.held) this.hold(this.held, this.held.begin(text));
    else if (this.inAnswer) this.emit('content', this.tokens.push(text));
    else {
      this.pending += text;
      this.start();
    }
  }

  private takePending(): string {
    const text = this.pending;
    this.pending = '';
    return text;
  }

  /** Looks at the beginning of the reply, or at what follows its thinking. */
  private start(): void {
    const text = this.pending.trimStart();
    const beginning = beginningOf(text, this.options.format, this.isAnswer);
    switch (beginning.kind) {
      case 'unknown':
        return;
      case 'harmony':
        return this.startHarmony(text);
      case 'tag':
        return this.startTag(beginning.rest, beginning.close);
      case 'text':
        this.startText(text);
        return this.take(this.takePending());
    }
  }

  private startTag(rest: string, close: string | null): void {
    this.pending = '';
    this.thought = true;
    if (close === null) this.trimming = true;
    else {
      this.note('tags');
      this.startThinking([close]);
    }
    this.take(rest);
  }

  /** Text without a tag at its beginning: an answer, or thinking without its opening tag. `text` is not taken yet. */
  private startText(text: string): void {
    const { isJson, isWhole, stops, wish } = this.options;
    if (this.isAnswer || this.thought || (isJson && beginsJson.test(text))) return this.answer('');
    const { heldChars, heldMs, thinking } = this.belief();
    const finder = new CloseFinder(wish.expected === true);
    this.held = new HeldText(finder, stops);
    if (isWhole) return;
    if (heldChars === 0) this.release(thinking);
    else if (heldMs !== null) this.options.onHeld(heldMs);
  }

  private startThinking(end: ThinkingEnd): ThinkingText {
    this.thought = true;
    return (this.thinking = new ThinkingText(end, (text) => this.emit('reasoning', text)));
  }

  private startHarmony(text: string): void {
    this.note('tags');
    this.pending = '';
    this.harmony = readHarmony(this.choice, this.options.hasTools, {
      text: (channel, piece) => this.emit(channel, piece),
      event: (event) => {
        if (event.type === 'tool_call') this.toolCalls++;
        this.out(event);
      },
    });
    this.harmony.push(text);
  }

  private think(thinking: ThinkingText, text: string): void {
    const rest = thinking.push(text);
    if (rest !== null) this.endThinking(thinking, rest);
  }

  private endThinking(thinking: ThinkingText, rest: string): void {
    if (thinking.isAssumed) this.note('open');
    this.thinking = null;
    this.thought = true;
    this.trimming = true;
    this.take(rest);
  }

  /** `rest`: what follows the end of thinking, where that has come. */
  private hold(held: HeldText, rest: string | null): void {
    if (rest !== null) return this.endHeld(held, rest);
    const { isWhole } = this.options;
    if (isWhole && !held.isStopped) return;
    const { heldChars, thinking } = this.belief();
    // A stop string ends an answer, and with it the work of an engine that does not look for it.
    if ((held.isStopped && !thinking) || (!isWhole && held.length > heldChars)) this.release(thinking);
  }

  /** What was held back is thinking: its end has come. */
  private endHeld(held: HeldText, rest: string): void {
    this.endThinking(this.startHeld(held), rest);
  }

  private startHeld(held: HeldText): ThinkingText {
    this.held = null;
    for (const { logprobs } of held.events) this.addLogprobs(logprobs);
    const thinking = this.startThinking(held.finder);
    thinking.write(held.take());
    return thinking;
  }

  /** Whether a text is kept as it came: it is long, and has no tag. */
  private keepsLong(event: Text): boolean {
    const { held } = this;
    if (
      !held ||
      !this.options.isWhole ||
      this.options.stops.length > 0 ||
      event.json.length < LONG_CHARS ||
      mayHoldClose(event.json)
    )
      return false;
    held.keep(event);
    return true;
  }

  /** Nothing is held back any more: what was, and what follows, goes out as what it probably is. */
  private release(thinking: boolean): void {
    const { held } = this;
    if (!held) return;
    if (thinking) return this.think(this.startHeld(held), held.rest);
    this.held = null;
    this.watch = new AnswerWatch(held.finder, held.rest);
    this.answer(held.prefix);
    for (const event of held.events)
      if (this.tokens.passes(event.json)) this.out(event);
      else this.feed(event);
  }

  /** The end of a reply that was held back. */
  private decide(held: HeldText, event: Finish): void {
    const rest = held.end();
    if (rest !== null) return this.endHeld(held, rest);
    const { open, thinking } = this.belief();
    this.notePlain(event);
    // A reply that was cut may have been cut within its thinking.
    this.release(!isNatural(event) && (open || thinking));
  }

  /** The end of a reply that went out as thinking without a proof. */
  private endAssumed(thinking: ThinkingText, event: Finish): void {
    const rest = thinking.push('', true);
    if (rest !== null) return this.endThinking(thinking, rest);
    if (!isNatural(event) || this.called) return;
    // It was the answer, and goes out as that, too: callers read no other.
    this.note('plain');
    this.thinking = null;
    this.answer(thinking.assumed());
  }

  private flush(): void {
    // Text that stands in no message is all that is left of an answer.
    if (this.harmony) return this.emit('content', this.harmony.end());
    if (this.thinking) return this.thinking.end();
    if (this.held) this.release(false);
    if (!this.inAnswer) this.answer(this.takePending());
    this.emit('content', this.tokens.end());
  }

  private answer(text: string): void {
    this.inAnswer = true;
    const isTrimmed = this.trimming;
    this.trimming = false;
    if (isTrimmed) this.pending = this.pending.trimStart();
    this.emit('content', this.tokens.push(isTrimmed ? text.trimStart() : text));
  }

  private emit(channel: 'content' | 'reasoning', text: string): void {
    if (text === '') return;
    const logprobs = this.logprobs;
    this.logprobs = undefined;
    this.out({ type: 'text', choice: this.choice, channel, json: toJsonText(text), ...(logprobs ? { logprobs } : {}) });
  }
}

/** Whether a choice ended because the model had no more to say. */
const isNatural = ({ reason, stop }: Finish): boolean =>
  (reason === 'stop' || reason === 'tool_calls') && stop === null;
