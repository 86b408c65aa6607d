/** Nodes wait for a person: nothing else of their scope can go on. */
export class InputRequired extends Error {
  /** Of a node that asks; null of what it stands in. */
  readonly question: string | null;

  constructor(question: string | null) {
    super('a node waits for a person');
    this.question = question;
  }
}
