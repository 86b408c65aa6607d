import type { FastifyReply, FastifyRequest } from 'fastify';
import { type A2a, type A2aOutcome, type A2aTag, createEventLines, followTask } from '../index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { EventStream, startEventStream } from '../../http-kit/event-stream.ts';
import type { KeepAlive } from '../../http-kit/keep-alive.ts';
import { streamError } from './failure.ts';

type Runs = Parameters<typeof followTask>[0];

export interface StreamDeps {
  readonly a2a: A2a;
  readonly runs: Runs;
  readonly keepAlive: KeepAlive;
  readonly now: () => number;
}

const RESUME_HINT = 'The service is stopping; go on with tasks/resubscribe and Last-Event-ID';

/** Tells the client of a stopping service how to resume, as the run outlives the stop. Returns any other reason as it is. */
const toStreamError = (why: unknown): unknown =>
  why instanceof StudioError && why.code === 'unavailable' ? new StudioError('unavailable', RESUME_HINT) : why;

/**
 * Sends the events of a run until it has ended or asks. A client that goes away changes nothing of the run. Source: decisions section 4,
 * `message/stream`.
 */
export async function sendStream(
  { runs, keepAlive, now }: StreamDeps,
  outcome: Extract<A2aOutcome, { kind: 'stream' }>,
  tag: A2aTag,
  request: FastifyRequest,
  reply: FastifyReply,
  gone: AbortSignal,
): Promise<void> {
  const { raw } = reply;
  const { run, after, pastQuestions } = outcome;
  const lines = createEventLines(tag, outcome);
  const stopping = new AbortController();
  const signal = AbortSignal.any([gone, stopping.signal]);
  startEventStream(reply);
  const keyId = request.record.key?.id ?? null;
  const stream = new EventStream(raw, { keyId, now, onCut: (why) => stopping.abort(why) });
  keepAlive.add(stream);
  try {
    const opening = lines.opening();
    if (opening !== '') stream.write(opening);
    for await (const { event, last } of followTask(runs, run.id, Math.floor(after), signal, { pastQuestions })) {
      const part = event.type === 'part' ? await outcome.load(event.part) : null;
      const text = lines.event(event, last, part);
      if (text !== '' && !stream.write(text)) await stream.drained();
    }
  } catch (error) {
    if (gone.aborted) return;
    const cause = stopping.signal.aborted ? toStreamError(stopping.signal.reason) : error;
    request.record.error = cause;
    stream.write(lines.failure(streamError(tag, cause)));
  } finally {
    keepAlive.remove(stream);
    raw.end();
  }
}
