/**
 * Work in slices: it yields between two of them, so that whoever runs it can let others have a turn.
 * What it returns does not depend on where it was held up.
 */
export type Work<T> = Generator<undefined, T, undefined>;
