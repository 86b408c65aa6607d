import type { Response } from '@ai-studio/contract/responses/response.ts';
import type { ChatInference } from '../inference/index.ts';
import type { Logger } from '../kernel/log.ts';
import type { Database } from '../ports/database.ts';
import type { Background } from './background/index.ts';
import { countedFirst } from './files.ts';
import { keepResponse } from './keep.ts';
import { openPlan, type Plan, type PlanDeps, TurnRefused } from './plan.ts';
import type { AdmittedChat } from './admitted-chat.ts';
import { type Asking, type PrepareDeps, prepareResponse, type PreparedResponse } from './prepare.ts';
import { type EndedResponse, ResponseRun, type ResponseTarget, type RunDeps, type RunningResponse } from './run.ts';
import { shownResponse, type StoredResponse } from './store.ts';

export interface ResponsesDeps extends PrepareDeps, PlanDeps, RunDeps {
  readonly db: Database;
  readonly background: Background;
  readonly log: Logger;
}

/** Where the answer to a caller goes. */
export type CallerTarget = Omit<ResponseTarget, 'keep' | 'checkpoint' | 'postpone'>;

/** A response that was admitted. */
export interface AdmittedResponse {
  readonly inference: ChatInference;
  /** Id of the model, or of the agent. */
  readonly model: string;
  readonly isAgent: boolean;
  /** Names of fields that change nothing. */
  readonly ignored: readonly string[];
  readonly stream: boolean;
  /** The response as it waits, where it is made in the background; else null, and `run` makes it. */
  readonly queued: Response | null;
  run(target: CallerTarget): RunningResponse;
}

/** Who asks, and who is told of the call as soon as it is open, as refusals count too. */
export interface ResponseCall extends Asking {
  readonly onOpen: (inference: ChatInference) => void;
}

/** Keeps a response that ended well. Resolves with whether it can be read later. */
async function keep(
  { log, ...deps }: ResponsesDeps,
  { actor }: Asking,
  { prepared, store }: Plan,
  ended: EndedResponse,
): Promise<boolean> {
  if (ended.status !== 'completed' && ended.status !== 'incomplete') return false;
  const { request, items: input, conversationId, id } = prepared;
  const response = JSON.parse(Buffer.from(ended.rendered, 'latin1').toString('utf8')) as Response;
  const stored: StoredResponse = {
    response: { ...response, output: [...ended.items()] },
    input,
    include: request.include ?? [],
  };
  try {
    await keepResponse(deps, actor.tenantId, stored, { conversationId, keepsResponse: store });
    return store;
  } catch (error) {
    log.warn({ err: error, responseId: id }, 'response could not be stored');
    return false;
  }
}

/** The first turn of a response. Rejects with the StudioError that it is refused with. */
async function admitFirst(plan: Plan): Promise<AdmittedChat> {
  try {
    return await plan.admit({ turns: [], number: 0, callsAreSpent: false });
  } catch (error) {
    throw error instanceof TurnRefused ? error.cause : error;
  }
}

/** In the background the call is only admitted, so that what is wrong with it is told at once; it is made later. */
async function beginInBackground(
  { background }: ResponsesDeps,
  call: ResponseCall,
  prepared: PreparedResponse,
  { inference, model }: AdmittedChat,
): Promise<Response> {
  inference.settle();
  return shownResponse(await background.begin(call, prepared, model));
}

/** Checks a request, gathers what it goes on from, and admits the chat that begins to answer it. Rejects with StudioError. */
export async function admitResponse(deps: ResponsesDeps, call: ResponseCall, body: unknown): Promise<AdmittedResponse> {
  const { actor, requestId, startedMs, session, priority } = call;
  const first = deps.openChat({ actor, requestId, endpoint: 'responses', startedMs, session, priority });
  call.onOpen(first);
  const files = countedFirst(deps, () => first.countRequest());
  const { prepared, ignored } = await prepareResponse({ ...deps, ...files }, call, body);
  const { request, conversationId } = prepared;
  const plan = await openPlan(deps, call, prepared, { store: request.store !== false && deps.store.keeps, first });
  const admitted = await admitFirst(plan);
  const isBackground = request.background === true;
  return {
    inference: admitted.inference,
    model: admitted.model,
    isAgent: admitted.isAgent,
    ignored: [...ignored, ...admitted.ignored],
    stream: request.stream === true,
    queued: isBackground ? await beginInBackground(deps, call, prepared, admitted) : null,
    run(target) {
      const keeps = plan.store || conversationId !== null;
      const whole: ResponseTarget = {
        ...target,
        keep: (ended) => (keeps ? keep(deps, call, plan, ended) : Promise.resolve(false)),
      };
      return new ResponseRun(deps, plan, whole, {
        model: admitted.model,
        admitted,
        progress: null,
        sequence: 0,
        opened: 'no',
      });
    },
  };
}
