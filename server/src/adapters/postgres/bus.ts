import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { StudioError } from '../../kernel/errors.ts';
import type { Bus } from '../../ports/bus.ts';
import type { Database } from '../../ports/database.ts';

interface Outgoing {
  readonly channel: string;
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Source: the Bus port; PostgreSQL itself takes 7,999 bytes, some of which go to the mark of the sender. */
const MAX_PAYLOAD_BYTES = 7_000;
/** Messages sent by one statement at most. */
const MAX_BATCH = 200;

/** The bus over LISTEN and NOTIFY of the database that every process has anyway. */
export function createPostgresBus(database: Database): Bus {
  const sender = randomBytes(6).toString('base64url');
  let waiting: Outgoing[] = [];
  let sending: Promise<void> | null = null;
  let number = 0;
  let closed = false;

  /** One statement at a time, so that the messages of this process arrive in the order in which they were published. */
  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        const channels = batch.map(({ channel }) => channel);
        const texts = batch.map(({ text }) => text);
        await sql`
          SELECT pg_notify(channel, text)
          FROM unnest(${channels}::text[], ${texts}::text[]) WITH ORDINALITY AS message (channel, text, place)
          ORDER BY place`.execute(database.query);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    sending = null;
  }

  return {
    publish(channel, payload) {
      const json = JSON.stringify(payload) ?? 'null';
      if (closed) return Promise.reject(new StudioError('unavailable', 'The bus is closed.'));
      if (Buffer.byteLength(json) > MAX_PAYLOAD_BYTES) {
        return Promise.reject(new RangeError(`A message of the bus has at most ${MAX_PAYLOAD_BYTES} bytes.`));
      }
      return new Promise<void>((resolve, reject) => {
        // PostgreSQL drops the second of two equal notifications of one transaction; the mark makes each its own.
        waiting.push({ channel, text: `${sender}.${(number++).toString(36)}:${json}`, resolve, reject });
        sending ??= drain();
      });
    },
    subscribe: (channel, listener, onGap) =>
      database.listen(channel, (text) => listener(JSON.parse(text.slice(text.indexOf(':') + 1)) as unknown), onGap),
    async close() {
      closed = true;
      await sending;
    },
  };
}
