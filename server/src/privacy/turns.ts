import { setImmediate as nextTurn } from 'node:timers/promises';

/** So many values of a text are worked on at once: some milliseconds, also where each is encrypted. */
export const VALUES_A_TURN = 500;

/** Does work that pauses, and lets other requests run in its pauses. */
export async function inTurns<T>(work: Iterator<null, T>): Promise<T> {
  let step = work.next();
  while (!step.done) {
    await nextTurn();
    step = work.next();
  }
  return step.value;
}

/** Calls `use` with each value, and lets other requests run in between. */
export const eachInTurns = <T>(values: Iterable<T>, use: (value: T) => void): Promise<void> =>
  inTurns(
    (function* () {
      let done = 0;
      for (const value of values) {
        use(value);
        if (++done % VALUES_A_TURN === 0) yield null;
      }
    })(),
  );
