import { StudioError } from '../kernel/errors.ts';

/** A message to one person, in plain text. */
export interface Mail {
  /** Address of its reader. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The mail server cannot be reached, or says nothing: it takes no other message either. */
export class MailServerAway extends StudioError {
  constructor(cause: unknown) {
    super('unavailable', 'The mail server cannot be reached', { cause });
  }
}

/** Sends mail by the operator's server. */
export interface Mailer {
  /** Hands a message to the mail server. Rejects with StudioError `unavailable` where it is not taken, MailServerAway where the server is away. */
  send(mail: Mail): Promise<void>;
  /** Safe to repeat. */
  close(): Promise<void>;
}
