import type { Passage } from '../../retrieval/index.ts';

// What a model or a tool node may call.

/** A file that a tool gave. */
export interface ToolFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export interface ToolResult {
  /** What a model is told: the result, or in words what went wrong. At most {@link MAX_TEXT_LENGTH} characters. */
  readonly text: string;
  /** The result as data; the text where it is none. Null where the call failed. */
  readonly result: unknown;
  /** Whether the arguments were wrong or the tool failed. A model may mend that; a tool node cannot. */
  readonly failed: boolean;
  readonly passages?: readonly Passage[];
  /** Pictures, sounds and documents, which texts only name. */
  readonly files?: readonly ToolFile[];
}

export interface ToolCallOptions {
  readonly signal: AbortSignal;
  /** The same when a call is made again after a crash. */
  readonly idempotencyKey: string;
  /** Given what a search found; returns the numbers under which the run knows it. Left out: from 1. */
  readonly onPassages?: (passages: readonly Passage[]) => readonly number[];
}

/** JSON Schema of an object. */
export type ToolParameters = Readonly<Record<string, unknown>>;

export interface Tool {
  /** 1 to 64 of `[a-zA-Z0-9_-]`, unlike that of any other tool that was opened with it. */
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  /**
   * Checks the arguments and calls it. Texts are taken for numbers, truth values and JSON where the schema wants those. Everything that goes wrong is
   * told in the result; rejects with the signal's reason only.
   */
  call(args: unknown, options: ToolCallOptions): Promise<ToolResult>;
}

/** Longest text that a model is given of one call: about 15,000 tokens of Korean. */
export const MAX_TEXT_LENGTH = 40_000;
/** Longest result that is kept as data, as JSON. */
const MAX_RESULT_LENGTH = 1_000_000;

/** The beginning of a text that is too long, with a note of that. */
export function truncateText(text: string, whole = text.length): string {
  if (text.length <= MAX_TEXT_LENGTH && whole <= text.length) return text;
  const note = `\n[Cut: the result has ${whole.toLocaleString('en')} characters; ask for less of it]`;
  return text.slice(0, MAX_TEXT_LENGTH - note.length).toWellFormed() + note;
}

/** A call that went well. `result` is left out where the text is all there is. */
export function succeeded(text: string, result?: unknown): ToolResult {
  const short = truncateText(text);
  const fits = result !== undefined && JSON.stringify(result).length <= MAX_RESULT_LENGTH;
  return { text: short, result: fits ? result : short, failed: false };
}

/** A call that did not. The message says what is wrong, so that a model can do better. */
export const failedCall = (message: string): ToolResult => ({
  text: truncateText(message),
  result: null,
  failed: true,
});
