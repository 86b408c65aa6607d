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

/** Units of text that are searched or analysed in one turn: a few milliseconds, and tens for those that hold most to be found. */
export const UNITS_A_TURN = 20_000;

export type TurnBudget = (units: number) => Promise<void> | undefined;

/**
 * Counts work before it is done. Where this turn would come to more than {@link UNITS_A_TURN} it returns what resolves in the next
 * turn, else nothing.
 */
export function createTurnBudget(): TurnBudget {
  let spent = 0;
  return (units) => {
    spent += units;
    if (spent <= UNITS_A_TURN) return undefined;
    spent = units;
    return nextTurn();
  };
}

/** Goes on with a value: at once where it is there, else when it has come. */
export const whenThere = <T, R>(value: T | Promise<T>, use: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(use) : use(value);
