/** A piece of a reply. */
export type Piece =
  | { readonly type: 'reasoning' | 'content'; readonly text: string }
  | { readonly type: 'tool_call'; readonly call: number; readonly name: string }
  | { readonly type: 'tool_arguments'; readonly call: number; readonly text: string };

/** Reads the text of a reply as it comes. */
export interface OutputParser {
  push(text: string): Piece[];
  end(): Piece[];
  readonly inReasoning: boolean;
}

export interface RenderRequest {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools: readonly Readonly<Record<string, unknown>>[] | null;
  readonly kwargs: Readonly<Record<string, unknown>>;
  /** Whether the model should think; null leaves it to the template. */
  readonly thinking: boolean | null;
}

export interface RenderedPrompt {
  readonly prompt: string;
  /** The prompt ends inside an open thinking block. */
  readonly thinkingOpen: boolean;
  readonly stops: readonly string[];
}

export type ToolChoice = 'required' | { readonly name: string };

/** The conversation format of one model: its template, its parser and its grammars. */
export interface Dialogue {
  readonly family: string;
  readonly tools: boolean;
  readonly thinking: 'none' | 'optional' | 'always';
  /** Throws an EngineError `refused` for what the template cannot say. */
  render(request: RenderRequest): RenderedPrompt;
  parser(options: { readonly thinkingOpen: boolean; readonly tools: boolean }): OutputParser;
  /** GBNF of an answer that is JSON; null for any object. Throws an EngineError `refused`. */
  jsonGrammar(schema: unknown): string;
  /** GBNF of an answer that calls tools. Throws an EngineError `refused`. */
  toolGrammar(options: {
    readonly tools: readonly Readonly<Record<string, unknown>>[];
    readonly choice: ToolChoice;
    readonly parallel: boolean;
  }): string;
}
