import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerTarget } from '../../inference/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { EventStream, startEventStream } from '../../http-kit/event-stream.ts';
import { sendAnswer, type SendAnswerDeps } from '../../http-kit/send-answer.ts';
import { toStudioError } from '../../ports/failure.ts';
import type { AdmittedResponse, StreamedEvent } from '../index.ts';

/** Sends a response as it is made, whole or as events. Rejects with what it failed with before anything was sent. */
export const sendRun = (
  deps: SendAnswerDeps,
  { run, stream, inference, isAgent }: AdmittedResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const made = ({ write, end, reply: whole, fail }: AnswerTarget) =>
    run({ write, end: ({ rendered }) => (stream ? end() : whole(rendered)), fail });
  return sendAnswer(deps, { run: made, stream, inference, isAgent }, request, reply);
};

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
  { keepAlive, now }: SendAnswerDeps,
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
