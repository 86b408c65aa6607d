/** What the service does with a part of an interface of others. */
export type Decision =
  /** It does what the reference says. */
  | 'served'
  /** It changes nothing, and X-Ignored-Fields names it. */
  | 'ignored'
  /** A request that has it is refused with 400, which names it. */
  | 'refused'
  /** Replies and streams lack it: nothing here makes it. */
  | 'absent';

export type Decisions = Readonly<Partial<Record<Decision, readonly string[]>>>;

/** All names of which something was decided, sorted as references are. */
export const decidedNames = (decisions: Decisions): readonly string[] => Object.values(decisions).flat().toSorted();
