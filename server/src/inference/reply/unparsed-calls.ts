import { CallFinder, type Piece, type ToolDefinition } from '@ai-studio/reply-format/parsers/index.ts';
import { toolCallId } from '../../kernel/ids.ts';
import { type JsonText, fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent, ChatSink } from '../../ports/engine.ts';
import { mergeLogprobs } from './held-logprobs.ts';
import { beginsPlainly } from './thinking-tags.ts';

type Text = ChatEvent & { readonly type: 'text' };

export interface UnparsedCallsOptions {
  /** The tools of the request. Asked for once something looks like a call. */
  readonly tools: () => readonly ToolDefinition[];
  /** Whether the engine that answers finds calls by itself. */
  readonly isSeparated: () => boolean;
}

/** What a mark, or white space before one, may begin with; and the mark that begins with neither bracket. */
const mayHoldMark = /[<[]| ->|tool\/|\\u|(?:\\[nrt]|[ -])$/;

/** A text as long as this is not decoded for a bracket alone. */
const LONG_CHARS = 1000;
const markCores = ['tool', 'function=', 'python_tag', 'TOOL_CALLS', '\\u00'];
/** Characters of the longest mark, also where they are escaped. */
const LONGEST_MARK = 64;
/** The beginning of a mark at the end of a text. */
const cutMark = /[<[-][^<[-]*$|(?:\\[nrt]| )$/;

const isPlain = (json: JsonText): boolean =>
  json.length < LONG_CHARS
    ? !mayHoldMark.test(json)
    : !cutMark.test(json.slice(-LONGEST_MARK)) && !markCores.some((core) => json.includes(core));

/** Whether a reply that begins so surely is no call. */
const startsPlainly = (json: JsonText): boolean =>
  beginsPlainly(json) && !json.startsWith('{') && !json.startsWith('-');

/** Finds the calls in the answer of one choice. */
class ChoiceCalls {
  readonly #choice: number;
  readonly #finder: CallFinder;
  readonly #out: ChatSink;
  #found = 0;
  /** The engine itself found calls: what looks like one in its text is none. */
  #isParsed = false;
  #logprobs: Record<string, unknown> | undefined;

  constructor(choice: number, tools: UnparsedCallsOptions['tools'], out: ChatSink) {
    this.#choice = choice;
    this.#finder = new CallFinder(tools);
    this.#out = out;
  }

  content(event: Text): void {
    const finder = this.#finder;
    if (this.#isParsed) return this.#out(event);
    if (finder.isIdle && isPlain(event.json) && (!finder.isFresh || startsPlainly(event.json))) {
      if (event.json !== '') finder.skip(event.json.charAt(event.json.length - 1));
      return this.#out(event);
    }
    this.#logprobs = event.logprobs ? mergeLogprobs(this.#logprobs, event.logprobs) : this.#logprobs;
    this.#give(finder.push(fromJsonText(event.json)));
  }

  /** A call that the engine found, or arguments of it. */
  parsed(event: ChatEvent & { readonly call: number }): void {
    this.flush();
    this.#isParsed = true;
    this.#out(this.#found === 0 ? event : { ...event, call: event.call + this.#found });
  }

  finish(event: ChatEvent & { readonly type: 'finish' }): void {
    this.flush();
    this.#out(this.#found > 0 && event.reason === 'stop' ? { ...event, reason: 'tool_calls' } : event);
  }

  flush(): void {
    if (!this.#isParsed) this.#give(this.#finder.end());
  }

  #give(pieces: readonly Piece[]): void {
    const choice = this.#choice;
    for (const piece of pieces) {
      if (piece.type === 'tool_call') {
        this.#found++;
        this.#out({ type: 'tool_call', choice, call: piece.call, id: toolCallId(), name: piece.name });
      } else if (piece.type === 'tool_arguments')
        this.#out({ type: 'tool_arguments', choice, call: piece.call, json: toJsonText(piece.text) });
      else this.#text(piece.text);
    }
  }

  #text(text: string): void {
    if (text === '') return;
    const logprobs = this.#logprobs;
    this.#logprobs = undefined;
    const json = toJsonText(text);
    this.#out({ type: 'text', choice: this.#choice, channel: 'content', json, ...(logprobs ? { logprobs } : {}) });
  }
}

export interface UnparsedCalls {
  readonly sink: ChatSink;
  /** Gives out what is held back, of choices that did not finish. */
  flush(): void;
}

/** Finds tool calls that a model server left in the text of its answers: what goes into its sink comes out at `out`. */
export function findUnparsedCalls({ tools, isSeparated }: UnparsedCallsOptions, out: ChatSink): UnparsedCalls {
  const choices: ChoiceCalls[] = [];
  const sink: ChatSink = (event) => {
    if (event.type === 'usage' || event.type === 'end' || event.type === 'error' || isSeparated()) return out(event);
    const choice = (choices[event.choice] ??= new ChoiceCalls(event.choice, tools, out));
    if (event.type === 'tool_call' || event.type === 'tool_arguments') choice.parsed(event);
    else if (event.type === 'finish') choice.finish(event);
    else if (event.channel === 'content') choice.content(event);
    else out(event);
  };
  return { sink, flush: () => choices.forEach((choice) => choice.flush()) };
}
