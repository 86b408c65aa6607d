/** A piece of a reply. */
export type Piece =
  | { readonly type: 'reasoning' | 'content'; readonly text: string }
  | { readonly type: 'tool_call'; readonly call: number; readonly name: string }
  | { readonly type: 'tool_arguments'; readonly call: number; readonly text: string };

/** A tool as the request describes it. */
export interface ToolDefinition {
  readonly function: { readonly name: string; readonly parameters?: unknown };
}

/** Reads the text of a reply as it comes. The joined pieces are the same however the text is cut. */
export interface OutputParser {
  push(text: string): Piece[];
  /** What was held back, once nothing more comes. */
  end(): Piece[];
  readonly inReasoning: boolean;
  /** What is missing of the mark that opens thinking, where what came can become nothing else; else empty. */
  readonly openingRest: string;
  /** What is missing of the mark that ends the thinking under way; empty where there is none, or no such mark. */
  readonly closingRest: string;
  /** Whether an end token does not end this reply, because it stands between thinking and answer. */
  continuesAfter(endToken: string): boolean;
}

/** Gathers pieces; neighbours of one kind become one. */
export class Pieces {
  #list: Piece[] = [];
  #calls = 0;

  text(type: 'reasoning' | 'content', text: string): void {
    if (text === '') return;
    const last = this.#list.at(-1);
    if (last?.type === type) this.#list[this.#list.length - 1] = { type, text: last.text + text };
    else this.#list.push({ type, text });
  }

  call(name: string): void {
    this.#list.push({ type: 'tool_call', call: this.#calls++, name });
  }

  /** Arguments of the call that was begun last. */
  arguments(text: string): void {
    if (text === '') return;
    const call = this.#calls - 1;
    const last = this.#list.at(-1);
    if (last?.type === 'tool_arguments' && last.call === call)
      this.#list[this.#list.length - 1] = { ...last, text: last.text + text };
    else this.#list.push({ type: 'tool_arguments', call, text });
  }

  take(): Piece[] {
    const list = this.#list;
    this.#list = [];
    return list;
  }
}
