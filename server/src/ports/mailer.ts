/** A message to one person, in plain text. */
export interface Mail {
  /** Address of its reader. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail by the operator's server. */
export interface Mailer {
  /** Hands a message to the mail server. Rejects with StudioError `unavailable` where it is not taken. */
  send(mail: Mail): Promise<void>;
  /** Safe to repeat. */
  close(): Promise<void>;
}
