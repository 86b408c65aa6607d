import { firstMark, partialMark } from './marks.ts';

/**
 * The harmony form of gpt-oss, where a reply is a row of messages, each in a channel:
 * `<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>final<|message|>…<|return|>`.
 * Source: the format's published description (openai/harmony, docs/format.md).
 */
export interface HarmonyOutput {
  reasoning(text: string): void;
  content(text: string): void;
  toolCall(name: string): void;
  toolArguments(text: string): void;
}

const MESSAGE = '<|message|>';
const bodyEnds = ['<|end|>', '<|call|>', '<|return|>', '<|start|>', '<|channel|>'] as const;
/** What a reply in this form can begin with. */
export const harmonyStarts = ['<|channel|>', '<|start|>'] as const;

type Target = 'reasoning' | 'content' | 'arguments';

export class HarmonyParser {
  private pending = '';
  /** Where the text of the message under way goes; null in a header. */
  private target: Target | null = null;
  private readonly out: HarmonyOutput;

  constructor(out: HarmonyOutput) {
    this.out = out;
  }

  push(text: string): void {
    this.pending += text;
    while (this.target === null ? this.header() : this.body());
  }

  /** The reply is over: what was held back is given out. */
  finish(): void {
    if (this.target !== null) this.emit(this.pending);
    this.pending = '';
  }

  private header(): boolean {
    const at = this.pending.indexOf(MESSAGE);
    if (at < 0) return false;
    this.target = this.open(this.pending.slice(0, at));
    this.pending = this.pending.slice(at + MESSAGE.length);
    return true;
  }

  private open(header: string): Target {
    const channel = /<\|channel\|>\s*([a-z]+)/.exec(header)?.[1] ?? 'final';
    const recipient = /\bto=([\w.-]+)/.exec(header)?.[1];
    if (recipient?.startsWith('functions.')) {
      this.out.toolCall(recipient.slice('functions.'.length));
      return 'arguments';
    }
    return channel === 'analysis' || recipient !== undefined ? 'reasoning' : 'content';
  }

  private body(): boolean {
    const end = firstMark(this.pending, bodyEnds);
    if (!end) {
      const safe = this.pending.length - partialMark(this.pending, bodyEnds);
      this.emit(this.pending.slice(0, safe));
      this.pending = this.pending.slice(safe);
      return false;
    }
    this.emit(this.pending.slice(0, end.at));
    this.target = null;
    const opensNext = end.mark === '<|start|>' || end.mark === '<|channel|>';
    this.pending = this.pending.slice(opensNext ? end.at : end.at + end.mark.length);
    return true;
  }

  private emit(text: string): void {
    if (text === '') return;
    if (this.target === 'reasoning') this.out.reasoning(text);
    else if (this.target === 'content') this.out.content(text);
    else this.out.toolArguments(text);
  }
}
