import type { BatchEndpoint, BatchOutputLine } from '@ai-studio/contract/batches.ts';
import { EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import { AgentRunFailure } from '../agents/index.ts';
import {
  type ChatCall,
  type ChatInference,
  compileCheck,
  embed,
  type EmbedDeps,
  embeddingsReply,
  estimateEmbedTokens,
  type OpenStoredCalls,
  type StoredCalls,
} from '../inference/index.ts';
import type { KeyRecord } from '../identity/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { hexId } from '../kernel/ids.ts';
import type { RateState } from '../ports/rate-limiter.ts';
import { admitResponse, namesAgent, type ResponsesDeps } from '../responses/index.ts';
import type { BatchLine } from './check-lines.ts';

/** The verbs by which the endpoints answer; lines are answered by the same. */
export interface LineDeps {
  readonly openStoredCalls: OpenStoredCalls;
  readonly embeddings: EmbedDeps;
  /** Checks a text completion. */
  readonly checkText: NonNullable<ChatCall['check']>;
  readonly responses: Omit<ResponsesDeps, 'openChat'>;
  /** A failure as the endpoints tell it. */
  readonly failure: (error: unknown, requestId: string) => { readonly status: number; readonly body: object };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A line that is run. */
interface LineCall {
  readonly actor: Actor;
  readonly scopes: KeyRecord['scopes'];
  /** Whether agents are models to the key. */
  readonly agentModels: boolean;
  /** Names the line: what an agent does for it is begun once. */
  readonly name: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Told what is left of the limits. */
  readonly onRate: (rate: RateState) => void;
  readonly calls: StoredCalls;
}

/** A line that was ended before its answer was whole. */
class LineFailure extends Error {}

/** A failure that the line ends with, whatever its cause is, which is told. */
class LastFailure extends Error {}

/** What a line failed with, as it is told: where the run of an agent has failed, that may have done something, and is not begun again. */
const failureOf = (error: unknown, told: unknown): unknown =>
  error instanceof AgentRunFailure ? new LastFailure('the run of the agent failed', { cause: told }) : told;

/** Names of the endpoints in usage. */
const usageNames: Readonly<Record<BatchEndpoint, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/v1/embeddings': 'embeddings',
  '/v1/completions': 'completions',
};

/**
 * What every call of a line is opened with. Nobody waits for a line: what people and programs wait for goes before. Its answer lies in a file that every
 * key of the tenant reads, so documents with readers of their own are not there for it.
 */
const callDetails = ({ now }: LineDeps, { actor, requestId }: LineCall, endpoint: BatchEndpoint) => ({
  actor: { ...actor, openDocumentsOnly: true as const },
  requestId,
  endpoint: usageNames[endpoint],
  startedMs: now(),
  priority: 'batch' as const,
});

const fromLatin1 = (bytes: string): unknown => JSON.parse(Buffer.from(bytes, 'latin1').toString('utf8')) as unknown;

/** Has a chat end when nobody wants it any more. Returns what stops that. */
function cancelWith(signal: AbortSignal, chat: { cancel(): void }): () => void {
  const cancel = () => chat.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  return () => signal.removeEventListener('abort', cancel);
}

/** The whole answer of a chat or a text completion. */
async function runChatLine(
  deps: LineDeps,
  call: LineCall,
  endpoint: BatchEndpoint,
  body: BatchLine['body'],
): Promise<unknown> {
  const check = endpoint === '/v1/completions' ? deps.checkText : undefined;
  const inference = call.calls.openChat({ ...callDetails(deps, call, endpoint), check });
  const release = cancelWith(call.signal, inference);
  try {
    const chat = await admitted(inference, call, () => inference.admit(Buffer.from(JSON.stringify(body))));
    const answer = Promise.withResolvers<unknown>();
    inference.run(chat, wholeOutput(answer), () => answer.reject(new LineFailure('the line was ended')));
    return await answer.promise;
  } catch (error) {
    throw inference.redactError(error);
  } finally {
    release();
  }
}

/** The whole answer of an agent, whose run stores its own usage. A run that another process began for the line is joined. */
async function runAgentLine(deps: LineDeps, call: LineCall, body: BatchLine['body']): Promise<unknown> {
  const inference = call.calls.openChat(callDetails(deps, call, '/v1/chat/completions'));
  const chat = await deps.responses.agents.open(call.actor, body);
  if (chat === null) throw new LineFailure('the line names no agent');
  await admitted(inference, call, () => inference.countRequest());
  const answer = Promise.withResolvers<unknown>();
  const ended = () => answer.reject(new LineFailure('the line was ended'));
  const release = cancelWith(
    call.signal,
    chat.run(wholeOutput(answer), ended, { lasting: call.name, priority: 'batch' }),
  );
  return answer.promise.finally(release);
}

/** Takes a whole answer, or how it failed. */
const wholeOutput = ({ resolve, reject }: PromiseWithResolvers<unknown>) => ({
  open: () => undefined,
  write: () => true,
  end: () => undefined,
  reply: (bytes: string) => resolve(fromLatin1(bytes)),
  fail: (error: unknown) => reject(failureOf(error, error)),
});

/** Tells what is left of the limits once a chat was counted, also where that refused it. */
async function admitted<T>(inference: ChatInference, call: LineCall, admit: () => Promise<T>): Promise<T> {
  try {
    return await admit();
  } finally {
    if (inference.rate) call.onRate(inference.rate);
  }
}

async function runResponseLine(deps: LineDeps, call: LineCall, body: BatchLine['body']): Promise<unknown> {
  const { actor, requestId, startedMs, priority } = callDetails(deps, call, '/v1/responses');
  const { scopes, agentModels, signal, calls, onRate, name: lasting } = call;
  const opened: { inference: ChatInference | null } = { inference: null };
  const response = {
    actor,
    scopes,
    agentModels,
    lasting,
    requestId,
    startedMs,
    priority,
    signal,
    onOpen: (one: ChatInference) => (opened.inference = one),
  };
  const redacted = (error: unknown) =>
    error instanceof LastFailure ? error : (opened.inference?.redactError(error) ?? error);
  try {
    const responses = { ...deps.responses, openChat: calls.openChat };
    // A line may be run again where its process ended: an answer that was kept then would be kept twice.
    const { run } = await admitResponse(responses, response, { store: false, ...body, background: false });
    const answer = Promise.withResolvers<unknown>();
    let told: unknown = new LineFailure('the line was ended');
    const running = run({
      write: () => undefined,
      end: ({ rendered }) => answer.resolve(fromLatin1(rendered)),
      fail: (error) => (told = error),
    });
    const release = cancelWith(signal, running);
    void running.ended.then(({ error }) => answer.reject(failureOf(error, told)));
    return await answer.promise.finally(release);
  } catch (error) {
    throw redacted(error);
  } finally {
    if (opened.inference?.rate) onRate(opened.inference.rate);
  }
}

const { explain: readEmbeddings } = compileCheck(EmbeddingsRequest);

async function runEmbeddingLine(deps: LineDeps, call: LineCall, body: BatchLine['body']): Promise<unknown> {
  const request = readEmbeddings(body);
  const details = { ...callDetails(deps, call, '/v1/embeddings'), signal: call.signal };
  const admittedCall = await call.calls.calls.admit(details, estimateEmbedTokens(request), call.onRate);
  try {
    return embeddingsReply(await embed(deps.embeddings, admittedCall, request), request.encoding_format);
  } finally {
    admittedCall.settle();
  }
}

function answerLine(deps: LineDeps, call: LineCall, endpoint: BatchEndpoint, body: BatchLine['body']) {
  if (endpoint === '/v1/embeddings') return runEmbeddingLine(deps, call, body);
  if (endpoint === '/v1/responses') return runResponseLine(deps, call, body);
  const { model } = body;
  const asksAgent = call.agentModels && typeof model === 'string' && namesAgent({ model });
  if (endpoint === '/v1/chat/completions' && asksAgent) return runAgentLine(deps, call, body);
  return runChatLine(deps, call, endpoint, body);
}

/** A line of an output or error file. */
export interface LineOutcome {
  readonly ok: boolean;
  readonly output: BatchOutputLine;
}

const outputLine = (customId: string, rest: Pick<BatchOutputLine, 'response' | 'error'>): BatchOutputLine => ({
  id: `batch_req_${hexId()}`,
  custom_id: customId,
  ...rest,
});

/** A line that was never run. */
export const unrunLine = (customId: string, error: NonNullable<BatchOutputLine['error']>): BatchOutputLine =>
  outputLine(customId, { response: null, error });

/** One try of a line. */
export interface LineTry {
  readonly requestId: string;
  readonly calls: StoredCalls;
  /** Its answer, or how it failed; null where it was cut off. */
  readonly outcome: LineOutcome | null;
  /** The failure, where it may be worth another try; null where it was answered, or was that of an agent. */
  readonly error: unknown;
}

/** Runs a line once, by the verb of its endpoint. Never rejects. */
export async function runLine(
  deps: LineDeps,
  endpoint: BatchEndpoint,
  { customId, body }: BatchLine,
  given: Omit<LineCall, 'requestId' | 'calls'>,
): Promise<LineTry> {
  const requestId = hexId();
  const calls = deps.openStoredCalls();
  try {
    const answer = await answerLine(deps, { ...given, requestId, calls }, endpoint, body);
    const response = { status_code: 200, request_id: requestId, body: answer };
    return {
      requestId,
      calls,
      outcome: { ok: true, output: outputLine(customId, { response, error: null }) },
      error: null,
    };
  } catch (error) {
    if (given.signal.aborted) return { requestId, calls, outcome: null, error };
    const isLast = error instanceof LastFailure;
    const { status, body: told } = deps.failure(isLast ? error.cause : error, requestId);
    const response = { status_code: status, request_id: requestId, body: told };
    const outcome = { ok: false, output: outputLine(customId, { response, error: null }) };
    return { requestId, calls, outcome, error: isLast ? null : error };
  }
}
