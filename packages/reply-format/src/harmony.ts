import { firstMark, partialMark } from './marks.ts';
import type { ThinkTags } from './think-tags.ts';

/**
 * The harmony form of gpt-oss, where a reply is a row of messages, each in a channel:
 * `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…<|return|>`.
 * Source: the format's published description (openai/harmony, docs/format.md).
 */
export const HARMONY = {
  start: '<|start|>',
  end: '<|end|>',
  message: '<|message|>',
  channel: '<|channel|>',
  constrain: '<|constrain|>',
  return: '<|return|>',
  call: '<|call|>',
} as const;

/** What a reply in this form can begin with. */
export const harmonyStarts: readonly string[] = [HARMONY.channel, HARMONY.start];

/** How thinking looks in a reply whose control tokens the engine has left out. */
export const bareHarmony = { open: 'analysis', close: 'assistantfinal' } as const satisfies ThinkTags;

/** The header of a message in a channel. */
export const harmonyHeader = (channel: string) => `${HARMONY.channel}${channel}${HARMONY.message}`;

const FUNCTIONS = 'functions.';

/** The header of a message that calls a tool with JSON. */
export const harmonyCall = (name: string) =>
  harmonyHeader(`commentary to=${FUNCTIONS}${name} ${HARMONY.constrain}json`);

const bodyEnds: readonly string[] = [HARMONY.end, HARMONY.call, HARMONY.return, ...harmonyStarts];

/** Whether a text is layout, or is or may become the header of a message. */
const isFrame = (text: string) =>
  text.trim() === '' ||
  [...harmonyStarts, HARMONY.constrain].some((mark) => mark.startsWith(text) || text.trimStart().startsWith(mark));

export interface HarmonyOutput {
  text(channel: 'reasoning' | 'content', text: string): void;
  call(name: string): void;
  /** Arguments of the call that was begun last. */
  arguments(text: string): void;
}

type Target = 'reasoning' | 'content' | 'arguments';

/** Reads a reply in the harmony form as it comes. The joined output is the same however the text is cut. */
export class HarmonyReader {
  readonly #out: HarmonyOutput;
  readonly #hasTools: boolean;
  #held = '';
  /** Null in a header. */
  #target: Target | null = null;

  /** `hasTools`: false where the request has none, so that what looks like a call is text. */
  constructor(out: HarmonyOutput, hasTools = true) {
    this.#out = out;
    this.#hasTools = hasTools;
  }

  /** Whether the message under way is thinking. */
  get inReasoning(): boolean {
    return this.#target === 'reasoning';
  }

  push(text: string): void {
    this.#held += text;
    while (this.#target === null ? this.#header() : this.#body());
  }

  /** Gives out what was held back, once nothing more comes. Returns the text that stands in no message. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    if (this.#target === null) return isFrame(rest) ? '' : rest;
    this.#emit(rest);
    return '';
  }

  #header(): boolean {
    const at = this.#held.indexOf(HARMONY.message);
    if (at < 0) return false;
    this.#target = this.#open(this.#held.slice(0, at));
    this.#held = this.#held.slice(at + HARMONY.message.length);
    return true;
  }

  #open(header: string): Target {
    const recipient = /\bto=([\w.-]+)/.exec(header)?.[1];
    const isFunction = recipient?.startsWith(FUNCTIONS) === true;
    if (isFunction && this.#hasTools) {
      this.#out.call(recipient.slice(FUNCTIONS.length));
      return 'arguments';
    }
    const channel = /<\|channel\|>\s*([a-z]+)/.exec(header)?.[1];
    // What goes to the model's built-in tools is for no reader.
    const isBuiltin = recipient !== undefined && !isFunction;
    return channel === 'analysis' || isBuiltin ? 'reasoning' : 'content';
  }

  #body(): boolean {
    const end = firstMark(this.#held, bodyEnds);
    if (!end) {
      const safe = this.#held.length - partialMark(this.#held, bodyEnds);
      this.#emit(this.#held.slice(0, safe));
      this.#held = this.#held.slice(safe);
      return false;
    }
    this.#emit(this.#held.slice(0, end.at));
    this.#target = null;
    const opensNext = harmonyStarts.includes(end.mark);
    this.#held = this.#held.slice(opensNext ? end.at : end.at + end.mark.length);
    return true;
  }

  #emit(text: string): void {
    if (text === '' || this.#target === null) return;
    if (this.#target === 'arguments') this.#out.arguments(text);
    else this.#out.text(this.#target, text);
  }
}
