import { StopFilter } from '@ai-studio/reply-format/stops.ts';
import type { OutputParser, Piece } from './chat-format.ts';
import type { LogprobEntry, LogprobMeter } from './logprobs.ts';
import type { NativeContext, NativeGrammarState } from './native.ts';
import type { Sampler } from './sampling.ts';
import type { Generation } from './scheduler.ts';
import { type Vocabulary, createTextStream } from './tokens.ts';

export type ChoiceFinishReason = 'stop' | 'length' | 'tool_calls';

/** Events of a choice, in order. */
export type ChoiceEvent =
  | { readonly type: 'start'; readonly cachedTokens: number }
  | { readonly type: 'piece'; readonly piece: Piece; readonly logprobs: readonly LogprobEntry[] }
  | {
      readonly type: 'finish';
      readonly reason: ChoiceFinishReason;
      /** The stop string that was found. */
      readonly stop: string | null;
      /** Of tokens whose text went nowhere. */
      readonly logprobs: readonly LogprobEntry[];
    }
  | { readonly type: 'error'; readonly error: unknown };

/** Tokens of a choice so far. */
export interface ChoiceCounts {
  /** All that were drawn, the one that ended the reply among them. */
  readonly completion: number;
  /** Those within reasoning, its marks included. */
  readonly reasoning: number;
}

export interface ChoiceOptions {
  readonly context: NativeContext;
  readonly vocabulary: Vocabulary;
  readonly prompt: Uint32Array;
  readonly createSampler: () => Sampler;
  readonly createMeter: (() => LogprobMeter) | null;
  readonly createParser: () => OutputParser;
  /** A fresh state of the grammar that the answer obeys. */
  readonly createGrammarState: (() => NativeGrammarState) | null;
  /** The grammar holds from the first token on, not from the end of the thinking on. */
  readonly grammarCoversThinking: boolean;
  /** Moves a grammar by a token that was drawn without it. */
  readonly acceptInGrammar: (state: NativeGrammarState, token: number) => void;
  /** The model may open a thinking block by itself, which no grammar of the answer would let it. */
  readonly mayThink: boolean;
  /** Strings that end the reply wherever they stand: the template's own. */
  readonly templateStops: readonly string[];
  /** Strings that end the answer. */
  readonly stops: readonly string[];
  readonly maxTokens: number;
  readonly minTokens: number;
  /** Whether more than one tool may be called. */
  readonly parallelTools: boolean;
  readonly emit: (event: ChoiceEvent) => void;
}

/** One choice of a reply under way. */
export interface Choice extends Generation {
  readonly counts: ChoiceCounts;
}

/** Turns pieces of the parser into events: cuts the answer at stop strings and adds the log-probabilities. */
function createPieceSink(stops: readonly string[], parallelTools: boolean, emit: (event: ChoiceEvent) => void) {
  const filter = new StopFilter(stops);
  let logprobs: LogprobEntry[] = [];
  let called = 0;
  const takeLogprobs = () => {
    const taken = logprobs;
    logprobs = [];
    return taken;
  };
  const send = (piece: Piece) => emit({ type: 'piece', piece, logprobs: takeLogprobs() });
  const sendContent = (text: string) => {
    if (text !== '') send({ type: 'content', text });
  };
  return {
    get called() {
      return called > 0;
    },
    takeLogprobs,
    addLogprobs: (entry: LogprobEntry) => void logprobs.push(entry),
    flush: () => sendContent(filter.flush()),
    /** Returns why the reply ends here, when it does. `armed`: stop strings count already. */
    put(piece: Piece, armed: boolean): { reason: ChoiceFinishReason; stop: string | null } | null {
      if ('text' in piece && piece.text === '') return null;
      if (piece.type === 'content') {
        if (!armed) {
          sendContent(piece.text);
          return null;
        }
        sendContent(filter.push(piece.text));
        return filter.found === null ? null : { reason: called > 0 ? 'tool_calls' : 'stop', stop: filter.found };
      }
      if (piece.type === 'tool_call') {
        sendContent(filter.flush());
        if (called > 0 && !parallelTools) return { reason: 'tool_calls', stop: null };
        called++;
      }
      send(piece);
      return null;
    },
  };
}

/** Removes a control token from the text that the parser let through. */
const withoutControlToken = (pieces: readonly Piece[], name: string): readonly Piece[] =>
  pieces.map((piece) => ('text' in piece ? { ...piece, text: piece.text.replaceAll(name, '') } : piece));

/** Generates one choice: draws tokens, makes text of them, reads the text and knows when it ends. */
export function createChoice(options: ChoiceOptions): Choice {
  const { context, vocabulary, prompt, maxTokens, minTokens, emit } = options;
  const sampler = options.createSampler();
  const meter = options.createMeter?.() ?? null;
  const parser = options.createParser();
  const text = createTextStream(vocabulary);
  const templateStops = new StopFilter(options.templateStops);
  const pieceSink = createPieceSink(options.stops, options.parallelTools, emit);
  let grammar: NativeGrammarState | null = null;
  /** Tokens that are drawn without asking: the rest of a mark of several. */
  let forced: readonly number[] = [];
  let completion = 0;
  let reasoning = 0;
  let ended = false;

  const end = (reason: ChoiceFinishReason, stop: string | null) => {
    ended = true;
    emit({ type: 'finish', reason, stop, logprobs: pieceSink.takeLogprobs() });
  };

  /** Hands pieces out; true when one of them ended the reply. */
  const putAll = (pieces: readonly Piece[]): boolean => {
    for (const piece of pieces) {
      const found = pieceSink.put(piece, completion > minTokens);
      if (!found) continue;
      end(found.reason, found.stop);
      return true;
    }
    return false;
  };

  /** The reply is over: what was held back goes out first. */
  const close = (reason: ChoiceFinishReason) => {
    if (putAll(parser.push(templateStops.flush() + text.end())) || putAll(parser.end())) return;
    pieceSink.flush();
    end(reason === 'stop' && pieceSink.called ? 'tool_calls' : reason, null);
  };

  const closeAtTemplateStop = () => {
    if (putAll(parser.end())) return;
    pieceSink.flush();
    end(pieceSink.called ? 'tool_calls' : 'stop', null);
  };

  /** Advances the grammar by answer text that the token which closed the reasoning brought along. */
  const advanceGrammar = (pieces: readonly Piece[]) => {
    if (!grammar) return;
    const answer = pieces.map((piece) => (piece.type === 'content' ? piece.text : '')).join('');
    for (const token of vocabulary.tokenizePart(answer.trimStart())) options.acceptInGrammar(grammar, token);
  };

  const startGrammar = () => {
    if (!options.createGrammarState || grammar) return;
    if (parser.inReasoning && !options.grammarCoversThinking) return;
    grammar = options.createGrammarState();
    sampler.setGrammar(grammar);
  };

  /** Forces the tokens that complete a mark that was begun. Returns false where they cannot write it. */
  const forceRest = (rest: string): boolean => {
    const tokens = [...vocabulary.tokenizePart(rest)];
    const written = Buffer.concat(tokens.map((token) => vocabulary.bytesOf(token))).toString('utf8');
    if (rest === '' || written !== rest) return false;
    forced = tokens;
    return true;
  };

  /** An end within the thinking ends only that where an answer must follow: the rest of its mark is what comes. */
  const endThinking = (token: number): number => {
    const due = options.createGrammarState !== null && !grammar && parser.inReasoning;
    if (!due || !forceRest(parser.closingRest)) return token;
    const [first = token, ...rest] = forced;
    forced = rest;
    return first;
  };

  /** The first token, where the model may open a thinking block: drawn freely, and kept only when it does. */
  const drawOpening = async (logits: number): Promise<number | null> => {
    const free = options.createSampler();
    try {
      const token = await free.draw(context, logits);
      if (token === null) return null;
      const probe = options.createParser();
      probe.push(vocabulary.bytesOf(token).toString('utf8'));
      if (!probe.inReasoning && !forceRest(probe.openingRest)) return null;
      sampler.accept(token);
      return token;
    } finally {
      free.close();
    }
  };

  const draw = async (logits: number): Promise<number | null> => {
    const [next, ...after] = forced;
    if (next !== undefined) {
      forced = after;
      sampler.accept(next);
      return next;
    }
    if (options.createGrammarState && !grammar && !parser.inReasoning && completion === 0 && options.mayThink) {
      const opening = await drawOpening(logits);
      if (opening !== null) return opening;
    }
    startGrammar();
    const token = await sampler.draw(context, logits);
    return token === null || !vocabulary.ends.has(token) ? token : endThinking(token);
  };

  /** Takes a token's text in; true when the reply ended with it. */
  const read = (token: number): boolean => {
    const before = parser.inReasoning;
    const safe = templateStops.push(text.push(token));
    let pieces: readonly Piece[] = safe === '' ? [] : parser.push(safe);
    if (vocabulary.isControl(token)) pieces = withoutControlToken(pieces, vocabulary.bytesOf(token).toString('utf8'));
    if (before || parser.inReasoning) reasoning++;
    if (putAll(pieces)) return true;
    if (templateStops.found !== null) {
      closeAtTemplateStop();
      return true;
    }
    if (before && !parser.inReasoning && !grammar) {
      startGrammar();
      advanceGrammar(pieces);
    }
    return false;
  };

  return {
    prompt,
    get counts() {
      return { completion, reasoning };
    },
    start: (cachedTokens) => emit({ type: 'start', cachedTokens }),
    async next(logits) {
      const token = await draw(logits);
      if (token === null) {
        close('stop');
        return null;
      }
      completion++;
      if (vocabulary.ends.has(token) && !parser.continuesAfter(vocabulary.bytesOf(token).toString('utf8'))) {
        close('stop');
        return null;
      }
      if (meter) pieceSink.addLogprobs(await meter.measure(context, logits, token));
      if (read(token)) return null;
      if (completion < maxTokens) return token;
      close('length');
      return null;
    },
    fail(error) {
      if (!ended) emit({ type: 'error', error });
      ended = true;
    },
    close() {
      sampler.close();
      meter?.close();
    },
  };
}
