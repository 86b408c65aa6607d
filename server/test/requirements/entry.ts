/** One behaviour that the specification asks for. */
export interface Requirement {
  /** Document and section (or table row) that asks for it. */
  readonly source: string;
  /** The behaviour, in our own words. */
  readonly text: string;
}

/** A list of behaviours by id. Ids are stable: tests cite them. */
export type Requirements = Readonly<Record<string, Requirement>>;
