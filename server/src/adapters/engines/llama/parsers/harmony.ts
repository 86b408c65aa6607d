import { type OutputParser, type Piece, Pieces, partialMark } from './pieces.ts';

const MESSAGE = '<|message|>';
const ENDS = ['<|end|>', '<|call|>', '<|return|>', '<|start|>', '<|channel|>'] as const;

/** Whether a text is, or may become, the header of a message. */
const isHeader = (text: string) =>
  ['<|channel|>', '<|start|>', '<|constrain|>'].some(
    (mark) => mark.startsWith(text) || text.trimStart().startsWith(mark),
  );

type Target = 'reasoning' | 'content' | 'arguments' | null;

/**
 * Reads replies in channels: analysis is thinking, final is the answer, a message to `functions.NAME` is a call. The
 * prompt ends with `<|start|>assistant`. Source: OpenAI, "harmony response format".
 */
export class HarmonyParser implements OutputParser {
  readonly #out = new Pieces();
  readonly #tools: boolean;
  #held = '';
  /** Where the text of the message under way goes; undefined in a header. */
  #target: Target | undefined;

  constructor(tools: boolean) {
    this.#tools = tools;
  }

  get inReasoning(): boolean {
    return this.#target === 'reasoning';
  }

  get openingRest(): string {
    return '';
  }

  get closingRest(): string {
    return '';
  }

  goesOn(): boolean {
    return false;
  }

  push(text: string): Piece[] {
    this.#held += text;
    while (this.#target === undefined ? this.#header() : this.#body());
    return this.#out.take();
  }

  end(): Piece[] {
    if (this.#target !== undefined) this.#give(this.#held);
    // A reply without channels is an answer.
    else if (this.#held.trim() !== '' && !isHeader(this.#held)) this.#out.text('content', this.#held);
    this.#held = '';
    return this.#out.take();
  }

  #header(): boolean {
    const at = this.#held.indexOf(MESSAGE);
    if (at < 0) return false;
    this.#target = this.#read(this.#held.slice(0, at));
    this.#held = this.#held.slice(at + MESSAGE.length);
    return this.#held !== '';
  }

  #read(header: string): Target {
    const name = /\bto=functions\.([A-Za-z0-9_-]+)/.exec(header)?.[1];
    if (name !== undefined && this.#tools) {
      this.#out.call(name);
      return 'arguments';
    }
    const channel = /<\|channel\|>\s*([a-z]+)/.exec(header)?.[1];
    return channel === 'analysis' ? 'reasoning' : 'content';
  }

  #body(): boolean {
    const ends = ENDS.map((mark) => ({ mark, at: this.#held.indexOf(mark) })).filter(({ at }) => at >= 0);
    const first = ends.sort((a, b) => a.at - b.at)[0];
    const end = first ? first.at : this.#held.length - partialMark(this.#held, ENDS);
    this.#give(this.#held.slice(0, end));
    this.#held = this.#held.slice(end);
    if (!first) return false;
    this.#target = undefined;
    const keep = first.mark === '<|channel|>' || first.mark === '<|start|>';
    this.#held = this.#held.slice(keep ? 0 : first.mark.length);
    return this.#held !== '';
  }

  #give(text: string): void {
    if (this.#target === 'arguments') this.#out.arguments(text);
    else if (this.#target) this.#out.text(this.#target, text);
  }
}
