import { readParts } from '../runs/answer-parts.ts';
import { readAnswer } from '../runs/rows.ts';
import type { RunSnapshot } from '../runs/types.ts';
import type { A2aDeps } from './deps.ts';
import { isLast } from './events.ts';
import type { A2aWire } from './form.ts';
import { type LoadPart, loadParts, type ShownPart } from './parts.ts';

// Where a stream begins, and what its first event tells.

export interface StreamOutcome {
  readonly kind: 'stream';
  readonly run: RunSnapshot;
  /** The task as the stream's first event shows it. */
  readonly shown: RunSnapshot;
  /** What the answer has brought until then. */
  readonly shownParts: readonly ShownPart[];
  /** What an event of a part tells this caller. */
  readonly load: LoadPart;
  /** The stream begins after this event; a half: after the question that comes with the next one. */
  readonly after: number;
  /** Stays open while the task waits for an answer. */
  readonly pastQuestions: boolean;
}

/** An event that the run has not told yet is of another stream: as good as none, or the stream would end without its end. */
const known = ({ lastSeq }: RunSnapshot, after: number): number => (after > lastSeq ? 0 : after);

/** A task that has said so much; its end is told by the last event, also where all of them come from the log. */
const underWay = (run: RunSnapshot, answer: string): RunSnapshot => ({
  ...run,
  state: run.state === 'submitted' ? run.state : 'working',
  answer,
});

/**
 * The stream of a run after an event that the caller has. Null: the caller has none. By the interface's door that is all of it; plain A2A
 * begins with the task as it stands, and goes on from there.
 */
export async function openStream(
  { db }: Pick<A2aDeps, 'db'>,
  { form, door }: A2aWire,
  run: RunSnapshot,
  after: number | null,
  load: LoadPart,
): Promise<StreamOutcome> {
  const begin = { kind: 'stream', run, pastQuestions: false, load } as const;
  const partsUntil = async (seq: number) => loadParts(load, await readParts(db.query, run.id, seq));
  if (door === 'interface')
    return { ...begin, shown: underWay(run, ''), shownParts: [], after: known(run, after ?? 0) };
  if (after !== null) {
    const from = Math.floor(known(run, after));
    const answer = from === 0 ? '' : await readAnswer(db.query, run.id, from);
    const shownParts = from === 0 ? [] : await partsUntil(from);
    return { ...begin, shown: underWay(run, answer), shownParts, after: from };
  }
  const answer = await readAnswer(db.query, run.id, run.lastSeq);
  const shownParts = await partsUntil(run.lastSeq);
  const shown = { ...run, answer };
  if (!isLast(run.state)) return { ...begin, shown, shownParts, after: run.lastSeq };
  // One that waits: 1.0 tells so and stays open. Source: A2A 1.0, section 3.1.6. In 0.3 its last event is told again.
  const pastQuestions = form === '1.0';
  return { ...begin, shown, shownParts, after: pastQuestions ? run.lastSeq : run.lastSeq - 1, pastQuestions };
}
