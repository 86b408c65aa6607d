import type { OutputParser } from '@ai-studio/reply-format/parsers/index.ts';
import type { ReplyGrammar } from '../grammar/index.ts';
import type { Rendered, RenderOptions } from '../template/index.ts';

export type { OutputParser, Piece } from '@ai-studio/reply-format/parsers/index.ts';
export type { ReplyGrammar } from '../grammar/index.ts';
export type { Rendered } from '../template/index.ts';

/** A tool as the request describes it. */
export type RequestTool = NonNullable<RenderOptions['tools']>[number] & {
  readonly function: { readonly name: string; readonly parameters?: unknown };
};

export type ToolChoice = 'required' | { readonly name: string };

/** The conversation format of one model: its template, its parser and its grammars. */
export interface ChatFormat {
  readonly family: string;
  readonly tools: boolean;
  readonly thinking: 'none' | 'optional' | 'always';
  /** Throws a RequestError for what the template cannot say. */
  render(request: RenderOptions): Rendered;
  /** `tools`: null where the request has none, so that text that looks like a call is text. */
  parser(options: { readonly thinkingOpen: boolean; readonly tools: readonly RequestTool[] | null }): OutputParser;
  /** Of an answer that is JSON; null for any object. Throws a RequestError. */
  jsonGrammar(schema: unknown): ReplyGrammar;
  /** Of an answer that calls tools. Throws a RequestError. */
  toolGrammar(options: {
    readonly tools: readonly RequestTool[];
    readonly choice: ToolChoice;
    readonly parallel: boolean;
  }): ReplyGrammar;
}
