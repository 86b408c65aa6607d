import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { pinged } from '../kernel/pinged.ts';

async function* toLines(events: AsyncGenerator<unknown, void>): AsyncGenerator<string, void> {
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}

/** The reply of a handler for server-sent events, with back-pressure. `events` must end when the browser goes away. */
export function sendEvents(reply: FastifyReply, events: AsyncGenerator<unknown, void>): Readable {
  void reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no');
  return Readable.from(pinged(toLines(events)), { objectMode: false });
}
