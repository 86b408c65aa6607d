import type { Transporter } from 'nodemailer';
import { StudioError } from '../../kernel/errors.ts';
import { type Mailer, MailServerAway } from '../../ports/mailer.ts';

interface MailerOptions {
  /** `smtp://user:password@host:port`, or `smtps:` for TLS from the start; with `smtp:` TLS is used where the server offers it. */
  readonly url: string;
  /** Sender, such as `AI Studio <studio@example.kr>`. */
  readonly from: string;
}

/** Connections to the mail server at once, and the time limit of each step. */
const MAX_CONNECTIONS = 3;
const TIMEOUT_MS = 10_000;

/** Failures of the connection itself, as the client names them. */
const awayCodes = new Set<unknown>(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS']);
const isAway = (cause: unknown) => cause instanceof Error && 'code' in cause && awayCodes.has(cause.code);

/** Sends mail over SMTP. The client is loaded with the first message, as many services send none. */
export function createMailer({ url, from }: MailerOptions): Mailer {
  let opened: Promise<Transporter> | null = null;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // A message never holds a file of this machine, or of another.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return {
    async send({ to, subject, text }) {
      opened ??= open();
      try {
        await (await opened).sendMail({ from, to: { name: '', address: to }, subject, text, textEncoding: 'base64' });
      } catch (cause) {
        if (isAway(cause)) throw new MailServerAway(cause);
        throw new StudioError('unavailable', 'The mail server did not take the message', { cause });
      }
    },
    async close() {
      const transport = await opened;
      opened = null;
      transport?.close();
    },
  };
}
