import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AdmittedAnswer,
  type AnswerTarget,
  type ChatInference,
  fallbackHeader,
  type RunningAnswer,
} from '../inference/index.ts';
import { FinalFailure, StudioError } from '../kernel/errors.ts';
import { toStudioError } from '../ports/failure.ts';
import { EventStream, startEventStream } from './event-stream.ts';
import { nameIgnored } from './ignored-fields.ts';
import type { KeepAlive } from './keep-alive.ts';
import { rateHeaders } from './rate.ts';

/** Source: `shouldRetry` of the SDKs of OpenAI and Anthropic. */
export const NO_RETRY = { 'x-should-retry': 'false' };

/** What the headers of a reply say of the call. */
export function showCall(reply: FastifyReply, { rate, findings, fallback, dropped }: ChatInference): void {
  nameIgnored(reply, dropped);
  if (fallback) reply.header('X-Model-Fallback', fallbackHeader(fallback));
  if (rate) reply.headers(rateHeaders(rate));
  if (findings !== '') reply.header('X-Privacy-Findings', findings);
}

export interface SendAnswerDeps {
  readonly keepAlive: KeepAlive;
  readonly now: () => number;
}

/** An answer of any form that can be made. */
interface Sendable extends Pick<AdmittedAnswer, 'stream' | 'inference' | 'isAgent'> {
  run(target: AnswerTarget): Omit<RunningAnswer, 'ended'> & {
    /** Once all is sent, counted and stored; with what it failed with. */
    readonly ended: Promise<{ readonly error: unknown }>;
  };
}

/** Sends an admitted answer, whole or as events. Rejects with what it failed with before anything was sent. */
export async function sendAnswer(
  { keepAlive, now }: SendAnswerDeps,
  { run, stream, inference, isAgent }: Sendable,
  { record }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = reply;
  record.stream = stream;
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
    const ping = () => running.ping();
    events = new EventStream(raw, { keyId, encoding: 'latin1', now, onCut: (why) => running.terminate(why), ping });
    keepAlive.add(events);
    return events;
  };
  const target: AnswerTarget = {
    write: (bytes) => void (events ?? open()).write(bytes),
    end: () => raw.end(),
    reply(bytes) {
      showCall(reply, inference);
      void reply.type('application/json; charset=utf-8').send(Buffer.from(bytes, 'latin1'));
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
    if (failure) {
      const isFinal = failure.error instanceof FinalFailure || toStudioError(failure.error).code === 'internal';
      if (isAgent && isFinal) reply.headers(NO_RETRY);
      throw failure.error;
    }
    record.error ??= inference.redactError(error);
    return reply;
  } finally {
    keepAlive.remove(waiting);
    if (events) keepAlive.remove(events);
    raw.off('close', gone);
  }
}

/** Ends the work for a request when its client goes away. */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const end = () => gone.abort(new StudioError('client_closed', 'The client closed the connection'));
  // It may have left while its key was looked up.
  if (raw.closed) end();
  else raw.once('close', end);
  return gone.signal;
}

/** Hears of the call of a chat as soon as it is open. */
type OnOpen = (inference: ChatInference) => void;

/**
 * Admits an answer and sends it. Whether it was refused or failed, the reply has the headers of its call, and nothing of what the policy
 * keeps from others. Rejects with StudioError, EngineError.
 */
export async function answerChat(
  deps: SendAnswerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  admit: (onOpen: OnOpen) => Promise<AdmittedAnswer>,
): Promise<FastifyReply> {
  return withCall(reply, async (onOpen) => {
    const admitted = await admit(onOpen);
    request.record.call = { model: admitted.model };
    nameIgnored(reply, admitted.ignored);
    return sendAnswer(deps, admitted, request, reply);
  });
}

/** Does work that opens the call of a chat; the reply has the headers of the call, also where it fails. */
export async function withCall<T>(reply: FastifyReply, work: (onOpen: OnOpen) => Promise<T>): Promise<T> {
  const open: { inference: ChatInference | null } = { inference: null };
  try {
    const done = await work((inference) => void (open.inference = inference));
    if (open.inference && !reply.sent) showCall(reply, open.inference);
    return done;
  } catch (error) {
    // What was refused before it was counted is counted by the frame.
    if (open.inference) showCall(reply, open.inference);
    throw open.inference?.redactError(error) ?? error;
  }
}
