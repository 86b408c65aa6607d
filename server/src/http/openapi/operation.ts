/** One method of one or several paths. `Name` are the names of wire forms. */
export interface OperationOf<Name extends string> {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Paths of one handler, without the second prefix. */
  readonly paths: readonly string[];
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly request?: Name;
  /** Fields of a form (multipart/form-data) beside its field `file`. */
  readonly form?: Name;
  /** Parameters of the address. */
  readonly query?: Name;
  /** Failures have the common envelope. */
  readonly envelope?: boolean;
  /** Form of failures, where it is neither that of chat nor the envelope. */
  readonly failure?: Name;
  readonly reply?: Name;
  readonly stream?: Name;
  /** Media types of replies that are no JSON. */
  readonly media?: readonly string[];
  readonly example?: object;
  readonly statuses: readonly number[];
  /** Whether no key is asked for. */
  readonly open?: boolean;
}
