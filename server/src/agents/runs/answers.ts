import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { type JsonText, toJsonText } from '../../kernel/json-text.ts';
import { raceAbort } from '../../kernel/race-abort.ts';
import { storable } from './json.ts';
import type { PassageBook } from './passages.ts';
import { InputRequired } from './input-required.ts';

/** Between the texts of two answers. */
const BETWEEN = '\n\n';

/** Where answer text is written: the log of a run, or the part of the caller's answer that belongs to a called agent. */
export interface AnswerSink {
  /** All of it so far. */
  textSoFar(): string;
  push(json: JsonText): void;
  /** What was pushed is a whole: half a character that is left has no other half. */
  end(): void;
}

/** The part of an answer that one node gives. Until it has finished, others wait. */
export interface AnswerPart extends AnswerSink {
  /** Where it begins in the whole answer, for whoever goes on with it after a crash. */
  readonly from: number;
  /** What of it was sent before. */
  readonly sent: string;
}

/** Collects the output of the answer nodes of one agent, one part after the other. */
export interface Answers {
  /** Waits for its turn. `from`: as it was before a crash. Rejects with the signal's reason; with InputRequired after {@link suspend}. */
  begin(signal: AbortSignal, from?: number): Promise<AnswerPart>;
  /** The whole text of a part: what is missing of it is sent. The turn is the next one's. */
  finish(part: AnswerPart, text: string, cites: boolean): void;
  /** The part waits for a person: so do those that wait for it. */
  suspend(part: AnswerPart): void;
  /** A part that had finished before. */
  recall(text: string, cites: boolean): void;
  citations(): readonly Citation[];
}

/** Resolves and reports the citations of answers. */
export interface CitationSink {
  readonly passages: PassageBook;
  /** Called with all citations when some of them are new. */
  notify(citations: readonly Citation[]): void;
}

/**
 * The answers of an agent, which callers are sent as they grow. `unfinished`: a part was begun before a crash; nothing is said before it
 * has gone on. `citationSink`: null where whoever called the agent cites.
 */
export function openAnswers(speech: AnswerSink, unfinished: boolean, citationSink: CitationSink | null): Answers {
  const resumption = Promise.withResolvers<void>();
  // Whether anybody waits for it or not.
  resumption.promise.catch(() => undefined);
  let turn: Promise<void> = unfinished ? resumption.promise : Promise.resolve();
  let awaited = unfinished;
  const ends = new WeakMap<AnswerPart, PromiseWithResolvers<void>>();
  const cited = new Map<number, Citation>();

  const cite = (text: string) => {
    const before = cited.size;
    for (const one of citationSink?.passages.citedIn(text) ?? []) cited.set(one.number, one);
    return cited.size > before;
  };
  const citations = () => [...cited.values()].toSorted((a, b) => a.number - b.number);

  function partOf(from: number): AnswerPart {
    const whole = speech.textSoFar();
    const begin = from === 0 ? 0 : from + BETWEEN.length;
    let begun = whole.length > from;
    return {
      from,
      sent: whole.slice(begin),
      textSoFar: () => speech.textSoFar().slice(begin),
      push(json) {
        if (json === '') return;
        if (!begun && from > 0) speech.push(toJsonText(BETWEEN));
        begun = true;
        speech.push(json);
      },
      end: () => speech.end(),
    };
  }

  /** The turn of whoever comes after all that have come. */
  async function ownTurn(signal: AbortSignal): Promise<PromiseWithResolvers<void>> {
    const before = turn;
    const own = Promise.withResolvers<void>();
    turn = before.then(() => own.promise);
    turn.catch(() => undefined);
    await raceAbort(signal, () => before).catch((error: unknown) => {
      own.resolve();
      throw error;
    });
    return own;
  }

  return {
    async begin(signal, from) {
      const resumes = awaited && from !== undefined;
      if (resumes) awaited = false;
      const own = resumes ? resumption : await ownTurn(signal);
      const part = partOf(from ?? speech.textSoFar().length);
      ends.set(part, own);
      return part;
    },
    finish(part, text, cites) {
      part.end();
      const sentText = part.textSoFar();
      const whole = storable(text);
      // What callers have is what counts, where a text that was begun is not the one that came out.
      if (whole.startsWith(sentText)) part.push(toJsonText(whole.slice(sentText.length)));
      part.end();
      if (cites && cite(whole)) citationSink?.notify(citations());
      ends.get(part)?.resolve();
    },
    suspend: (part) => ends.get(part)?.reject(new InputRequired(null)),
    recall(text, cites) {
      if (cites) cite(text);
    },
    citations,
  };
}
