import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** A stream that has been silent for so long says so, lest something between ends it. */
const SILENCE_MS = 15_000;

/** Resolves with null after a while of silence. Call `stop` to end the wait. */
function silence() {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), SILENCE_MS).unref()));
  return { over, stop: () => clearTimeout(timer) };
}

async function* lines(events: AsyncGenerator<unknown, void>): AsyncGenerator<string> {
  try {
    let next = events.next();
    for (;;) {
      const quiet = silence();
      const result = await Promise.race([next, quiet.over]).finally(quiet.stop);
      if (result === null) yield ': ping\n\n';
      else if (result.done === true) return;
      else {
        yield `data: ${JSON.stringify(result.value)}\n\n`;
        next = events.next();
      }
    }
  } finally {
    await events.return();
  }
}

/** What a handler answers for server-sent events, sent as fast as the browser reads. `events` must end when it goes away. */
export function sendEvents(reply: FastifyReply, events: AsyncGenerator<unknown, void>): Readable {
  void reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no');
  return Readable.from(lines(events), { objectMode: false });
}
