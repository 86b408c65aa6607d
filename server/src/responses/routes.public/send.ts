import type { FastifyReply, FastifyRequest } from 'fastify';
import { StudioError } from '../../kernel/errors.ts';
import { EventStream, startEventStream } from '../../http-kit/event-stream.ts';
import type { KeepAlive } from '../../http-kit/keep-alive.ts';
import { showCall } from '../../http-kit/send-answer.ts';
import { toStudioError } from '../../ports/failure.ts';
import type { AdmittedResponse, CallerTarget, StreamedEvent } from '../index.ts';

export interface SendDeps {
  readonly keepAlive: KeepAlive;
  readonly now: () => number;
}

/** Sends a response as it is made, whole or as events. Rejects with what it failed with before anything was sent. */
export async function sendRun(
  { keepAlive, now }: SendDeps,
  { run, stream, inference }: AdmittedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = reply;
  const { record } = request;
  const keyId = record.key?.id ?? null;
  let failed: { readonly error: unknown } | null = null;
  let events: EventStream | null = null;
  /** Until the first byte: what cuts it off, and pings that open it. */
  const waiting = {
    place: -1,
    keyId,
    lastWriteMs: now(),
    ping: () => running.ping(),
    terminate: (why: StudioError) => running.terminate(why),
  };
  const open = () => {
    showCall(reply, inference);
    keepAlive.remove(waiting);
    startEventStream(reply);
    events = new EventStream(raw, { keyId, encoding: 'latin1', now, onCut: (why) => running.terminate(why) });
    keepAlive.add(events);
    return events;
  };
  const target: CallerTarget = {
    write: (bytes) => void (events ?? open()).write(bytes),
    end({ rendered }) {
      if (stream) return void raw.end();
      showCall(reply, inference);
      void reply.type('application/json; charset=utf-8').send(Buffer.from(rendered, 'latin1'));
    },
    fail: (error) => void (failed = { error }),
  };
  const running = run(target);
  const gone = () => running.cancel();
  keepAlive.add(waiting);
  raw.once('close', gone);
  if (raw.closed) gone();
  try {
    const { error } = await running.ended;
    // Told TypeScript, which does not see that the target was called.
    const failure = failed as { readonly error: unknown } | null;
    if (failure) throw failure.error;
    record.error ??= inference.redactError(error);
    return reply;
  } finally {
    keepAlive.remove(waiting);
    if (events) keepAlive.remove(events);
    raw.off('close', gone);
  }
}

const STOPPING =
  'The service is stopping; go on with GET /v1/responses/{id}?stream=true&starting_after={sequence_number}';

/** The event that ends a stream whose response goes on: its number is that of the last one that was sent, behind which to go on. */
function errorEvent(error: unknown, sequence: number): string {
  const { code, message } = toStudioError(error);
  const data = { type: 'error', code, message, param: null, sequence_number: Math.max(0, sequence) };
  return `event: error\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Sends events of a response that is made in the background; whoever goes away changes nothing of it. */
export async function sendEvents(
  { keepAlive, now }: SendDeps,
  follow: (signal: AbortSignal) => Promise<AsyncIterable<StreamedEvent>>,
  after: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = reply;
  const { record } = request;
  record.stream = true;
  const ending = new AbortController();
  const gone = () => ending.abort(new StudioError('client_closed', 'The client closed the connection'));
  raw.once('close', gone);
  if (raw.closed) gone();
  const events = await follow(ending.signal);
  startEventStream(reply);
  const stream = new EventStream(raw, { keyId: record.key?.id ?? null, now, onCut: (why) => ending.abort(why) });
  keepAlive.add(stream);
  let last = after;
  try {
    for await (const { seq, frame } of events) {
      last = seq;
      if (!stream.write(`${frame}\n\n`)) await stream.drained();
    }
  } catch (error) {
    if (raw.closed) return reply;
    const isStopping = error instanceof StudioError && error.code === 'unavailable';
    const shown = isStopping ? new StudioError('unavailable', STOPPING) : error;
    record.error = shown;
    stream.write(errorEvent(shown, last));
  } finally {
    keepAlive.remove(stream);
    raw.off('close', gone);
    raw.end();
  }
  return reply;
}
