import { firstMark, partialMark } from '../marks.ts';
import { thinkTags } from '../think-tags.ts';
import {
  COMMAND,
  DEEPSEEK,
  DSML,
  HYPERCLOVA,
  KIMI_FRAME,
  LFM,
  MINIMAX,
  MISTRAL,
  PHI,
  QWEN_FRAME,
  SEED,
  SOLAR_FRAME,
  TOOL_CALL,
  type ToolCallFormat,
} from '../tool-forms.ts';
import { type OutputParser, type Piece, Pieces, type ToolDefinition } from './pieces.ts';
import { TaggedParser } from './tagged.ts';

const PYTHON = '<|python_tag|>';
/** A mark whose white space was taken for layout after thinking. */
const HYPERCLOVA_START = HYPERCLOVA.open.trimStart();

/** Marks of one form alone: what follows is read as such, and is text where it turns out to be no call. */
const ownMarks: Readonly<Record<string, ToolCallFormat>> = {
  [DEEPSEEK.open]: 'deepseek',
  [PHI.open]: 'phi',
  [HYPERCLOVA.open]: 'hyperclova',
  [SEED.open]: 'seed',
  [LFM.open]: 'lfm',
  [KIMI_FRAME.open]: 'kimi',
  [SOLAR_FRAME.open]: 'solar',
  [DSML.open]: 'dsml',
  [MINIMAX.open]: 'minimax',
  [COMMAND.open]: 'command',
};

const marks = [TOOL_CALL.open, QWEN_FRAME.head, PYTHON, MISTRAL.open, ...Object.keys(ownMarks)];

/** The form of a call; `none`: what stands there is no call; null: too little of it has come. */
type Found = ToolCallFormat | 'none' | null;

const begins = (text: string, ...marks: readonly string[]) => marks.some((mark) => text.startsWith(mark));

/** `NAME`, then what says that it is one; the name must be that of a tool where the mark is of several forms. */
function namedForm(text: string, names: readonly string[], after: (rest: string) => Found): Found {
  const name = /^[\w.:-]+/.exec(text)?.[0] ?? '';
  if (name === text) return names.some((each) => each.startsWith(name)) ? null : 'none';
  return names.includes(name) ? after(text.slice(name.length)) : 'none';
}

/** Tells the forms that share a mark apart by what follows it. */
const formAfter: Readonly<Record<string, (text: string, names: readonly string[]) => Found>> = {
  [TOOL_CALL.open](text, names) {
    if (begins(text, '{', '[')) return 'hermes';
    if (text.startsWith(QWEN_FRAME.head)) return 'qwen-xml';
    if (QWEN_FRAME.head.startsWith(text)) return null;
    return namedForm(text, names, () => 'glm');
  },
  [QWEN_FRAME.head]: (text, names) =>
    namedForm(text, names, (rest) => {
      if (!rest.startsWith(QWEN_FRAME.nameEnd)) return 'none';
      const body = rest.slice(QWEN_FRAME.nameEnd.length).trimStart();
      // Llama's models write such a name before JSON.
      if (body.startsWith('{')) return 'llama';
      const tags = [QWEN_FRAME.key, ...QWEN_FRAME.ends];
      if (begins(body, ...tags)) return 'qwen-xml';
      return tags.some((tag) => tag.startsWith(body)) ? null : 'none';
    }),
  [PYTHON]: (text) => (text.startsWith('{') ? 'llama' : 'none'),
  [MISTRAL.open](text) {
    if (begins(text, '[', '{')) return 'mistral-list';
    const rest = text.replace(/^[\w.:-]+\s*/, '');
    if (rest === text) return 'none';
    if (begins(rest, MISTRAL.args, MISTRAL.id)) return 'mistral-args';
    return begins(MISTRAL.args, rest) || begins(MISTRAL.id, rest) ? null : 'none';
  },
};

/**
 * Finds tool calls in an answer whose family is not known, as of a model server that did not parse them: the first mark
 * of any form says which it is. What is no call stays text, character for character; white space before a call is layout.
 * The joined pieces are the same however the text is cut.
 */
export class CallFinder {
  readonly #tools: () => readonly ToolDefinition[];
  readonly #out = new Pieces();
  #held = '';
  /** White space that is layout where a call follows. */
  #space = '';
  /** The last character before `held`. */
  #before = '';
  #fresh = true;
  /** White space that the parser was given, and that had not come. */
  #added = 0;
  /** Reads the form that was found, and what follows. */
  #parser: OutputParser | null = null;

  /** `tools`: those of the request, asked for once something looks like a call. */
  constructor(tools: () => readonly ToolDefinition[]) {
    this.#tools = tools;
  }

  /** Nothing has come but white space. */
  get isFresh(): boolean {
    return this.#fresh;
  }

  /** Nothing is held back, and no call was found: text without a mark needs no look. */
  get isIdle(): boolean {
    return this.#parser === null && this.#held === '' && this.#space === '';
  }

  /** Text without any part of a mark went by; `last`: its last character. */
  skip(last: string): void {
    this.#fresh = false;
    this.#before = last;
  }

  push(text: string): Piece[] {
    if (this.#parser) return this.#settle(this.#parser.push(text));
    this.#held += text;
    return this.#step();
  }

  /** What was held back, once nothing more comes. */
  end(): Piece[] {
    if (this.#parser) {
      const pieces = this.#settle(this.#parser.end());
      return this.#space === '' ? pieces : [...pieces, { type: 'content', text: this.#space }];
    }
    this.#out.text('content', this.#space + this.#held);
    this.#held = '';
    this.#space = '';
    return this.#out.take();
  }

  #step(): Piece[] {
    if (this.#fresh) {
      const text = this.#held.trimStart();
      if (text.startsWith('{')) return this.#startBare('llama', text, '');
      if (text.startsWith(HYPERCLOVA_START)) return this.#startBare('hyperclova', text, ' ');
      if (HYPERCLOVA_START.startsWith(text)) return [];
      this.#fresh = false;
    }
    for (;;) {
      const found = firstMark(this.#held, marks);
      if (!found) {
        this.#take(this.#held.length - partialMark(this.#held, marks));
        return this.#out.take();
      }
      const form = this.#formAt(found.at, found.mark);
      if (form === null) {
        this.#take(found.at);
        return this.#out.take();
      }
      if (form !== 'none') {
        this.#take(found.at);
        return [...this.#out.take(), ...this.#delegate(form, this.#held)];
      }
      this.#take(found.at + found.mark.length);
    }
  }

  #formAt(at: number, mark: string): Found {
    const before = at === 0 ? this.#before : this.#held.charAt(at - 1);
    // Somebody speaks of the mark.
    if (before === '`') return 'none';
    const own = ownMarks[mark];
    if (own !== undefined) return own;
    const next = this.#held.slice(at + mark.length).trimStart();
    if (next === '') return null;
    const names = this.#tools().map((tool) => tool.function.name);
    return formAfter[mark]?.(next, names) ?? null;
  }

  /** Gives out text; white space at its end waits for what follows. */
  #take(length: number): void {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (text === '') return;
    this.#before = text.charAt(text.length - 1);
    const all = this.#space + text;
    const kept = all.trimEnd();
    this.#out.text('content', kept);
    this.#space = all.slice(kept.length);
  }

  /** Calls without a mark, or with one whose white space, `missing`, may have been layout. */
  #startBare(form: ToolCallFormat, text: string, missing: string): Piece[] {
    this.#fresh = false;
    this.#space = this.#held.slice(0, this.#held.length - text.length);
    this.#added = missing.length;
    return this.#delegate(form, missing + text);
  }

  #delegate(form: ToolCallFormat, text: string): Piece[] {
    this.#held = '';
    this.#parser = new TaggedParser({
      family: { name: form, tools: form, think: thinkTags.think },
      thinkingOpen: false,
      tools: this.#tools(),
      controlTokens: [],
    });
    return this.#settle(this.#parser.push(text));
  }

  /** White space before what turned out to be no call is text. */
  #settle(pieces: Piece[]): Piece[] {
    const [first, ...more] = pieces;
    if (!first) return pieces;
    const [space, added] = [this.#space, this.#added];
    this.#space = '';
    this.#added = 0;
    return first.type === 'content' ? [{ type: 'content', text: space + first.text.slice(added) }, ...more] : pieces;
  }
}
