import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { type JsonText, toJsonText } from '../../kernel/json-text.ts';
import { storable } from './json.ts';
import type { PassageBook } from './passages.ts';
import type { RunLog } from './run-log.ts';

/** Between the texts of two answers. */
const BETWEEN = '\n\n';

/** The part of an answer that one node gives. Until it has finished, others wait. */
export interface AnswerPart {
  /** Where it begins in the whole answer, for whoever goes on with it after a crash. */
  readonly from: number;
  /** What of it was sent before. */
  readonly sent: string;
  push(json: JsonText): void;
}

/** Where answer nodes say what they say. */
export interface Answers {
  /** Waits for its turn. `from`: as it was before a crash. Rejects with the signal's reason. */
  begin(signal: AbortSignal, from?: number): Promise<AnswerPart>;
  /** The whole text of a part: what is missing of it is sent. The turn is the next one's. */
  finish(part: AnswerPart, text: string, cites: boolean): void;
  /** The turn is given up: the run has failed. */
  leave(part: AnswerPart): void;
  /** A part that had finished before. */
  recall(text: string, cites: boolean): void;
  citations(): readonly Citation[];
}

/** Resolves with the work; rejects with the signal's reason as soon as there is one. */
async function unlessEnded(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * The answer of a run, which its callers are sent as it grows. `unfinished`: a part was begun before a crash; nothing is said before it
 * has gone on.
 */
export function openAnswers(log: RunLog, passages: PassageBook, unfinished: boolean): Answers {
  const goneOn = Promise.withResolvers<void>();
  let turn: Promise<void> = unfinished ? goneOn.promise : Promise.resolve();
  let awaited = unfinished;
  const ends = new WeakMap<AnswerPart, () => void>();
  const cited = new Map<number, Citation>();

  const cite = (text: string) => {
    const before = cited.size;
    for (const one of passages.citedIn(text)) cited.set(one.number, one);
    return cited.size > before;
  };
  const citations = () => [...cited.values()].toSorted((a, b) => a.number - b.number);
  const leave = (part: AnswerPart) => ends.get(part)?.();

  return {
    async begin(signal, from) {
      const resumes = awaited && from !== undefined;
      let end = goneOn.resolve;
      if (resumes) awaited = false;
      else {
        const before = turn;
        const own = Promise.withResolvers<void>();
        end = own.resolve;
        turn = before.then(() => own.promise);
        await unlessEnded(before, signal).catch((error: unknown) => {
          end();
          throw error;
        });
      }
      const whole = log.answer;
      const start = from ?? whole.length;
      if (start === whole.length && whole !== '') log.text(toJsonText(BETWEEN));
      const part: AnswerPart = {
        from: start,
        sent: whole.slice(start === 0 ? 0 : start + BETWEEN.length),
        push: (json) => log.text(json),
      };
      ends.set(part, end);
      return part;
    },
    finish(part, text, cites) {
      log.endText();
      const said = log.answer.slice(part.from === 0 ? 0 : part.from + BETWEEN.length);
      const whole = storable(text);
      // What callers have is what counts, where a text that was begun is not the one that came out.
      if (whole.startsWith(said)) log.text(toJsonText(whole.slice(said.length)));
      log.endText();
      if (cites && cite(whole)) log.event({ type: 'citations', citations: citations() });
      leave(part);
    },
    leave,
    recall(text, cites) {
      if (cites) cite(text);
    },
    citations,
  };
}
