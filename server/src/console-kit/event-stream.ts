import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { pinged } from '../kernel/pinged.ts';

async function* lines(events: AsyncGenerator<unknown, void>): AsyncGenerator<string, void> {
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}

/** What a handler answers for server-sent events, sent as fast as the browser reads. `events` must end when it goes away. */
export function sendEvents(reply: FastifyReply, events: AsyncGenerator<unknown, void>): Readable {
  void reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no');
  return Readable.from(pinged(lines(events)), { objectMode: false });
}
