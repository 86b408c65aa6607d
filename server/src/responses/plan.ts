import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import { hash } from 'node:crypto';
import type { ChatInference, OpenChat } from '../inference/index.ts';
import { admitAgent, lastingName, namesAgent, refuseTools, type ResponseAgents } from './agent-turn.ts';
import { approvedCalls } from './approvals.ts';
import { chatBodyOf, type Fields, inTermsOfResponses } from './chat-body.ts';
import { type FindFile, withFileData } from './files.ts';
import type { HostedCall } from './hosted-items.ts';
import type { AdmittedChat } from './admitted-chat.ts';
import type { Asking, PreparedResponse } from './prepare.ts';
import type { HostedTool } from './tools/hosted-tool.ts';
import { type HostedDeps, openHostedTools } from './tools/open-tools.ts';
import { type Source, SourceBook } from './tools/sources.ts';
import { laterHalf } from './truncation.ts';

export interface PlanDeps {
  readonly openChat: OpenChat;
  readonly agents: ResponseAgents;
  /** Null where files are not kept by id. */
  readonly findFile: FindFile | null;
  readonly hosted: HostedDeps;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Turns of the model in one answer; in the last one it has to answer. */
export const MAX_TURNS = 20;
/** Calls of tools in one answer, where the request does not say. */
const MAX_CALLS = 100;

/** What a turn is asked with. */
export interface TurnSoFar {
  /** Messages of the turns before. */
  readonly turns: readonly Fields[];
  /** Number of this turn, from 0. */
  readonly number: number;
  /** Whether no more tools may be called. */
  readonly callsAreSpent: boolean;
}

/** How a response is made. */
export interface Plan {
  readonly prepared: PreparedResponse;
  readonly tools: readonly HostedTool[];
  readonly book: SourceBook;
  /** Most calls of tools of the service. */
  readonly maxCalls: number;
  /** Calls that were approved: they are made before the model is asked. */
  readonly approved: readonly HostedCall[];
  /** Names of servers whose tools the caller was not told of. */
  readonly unlisted: readonly string[];
  /** Whether it is kept once it has ended. */
  readonly store: boolean;
  /** Admits the chat of a turn. Throws StudioError, in terms of the request. */
  admit(turn: TurnSoFar): Promise<AdmittedChat>;
  /** Leaves out the older half of the items from now on; false where that is not wanted, or there is nothing to leave out. */
  shorten(): boolean;
}

/** Names of servers whose tools no item lists yet. */
function unlistedServers({ before, items }: PreparedResponse, tools: readonly HostedTool[]): readonly string[] {
  const listed = new Set(
    [...before, ...items].flatMap((item) => (item.type === 'mcp_list_tools' ? [item.server_label] : [])),
  );
  return [...new Set(tools.flatMap(({ server }) => server?.label ?? []))].filter((label) => !listed.has(label));
}

/** Files by id, which count the request before they are looked for. */
const countedFiles = ({ findFile }: PlanDeps, inference: ChatInference): Pick<PlanDeps, 'findFile'> => ({
  findFile:
    findFile &&
    (async (...file) => {
      await inference.countRequest();
      return findFile(...file);
    }),
});

/** The same number for the same response, so that a model that is asked again says the same where it can. */
const seedOf = (id: string) => Number.parseInt(hash('sha256', id).slice(0, 7), 16);

export interface PlanOptions {
  /** Whether it is kept once it has ended. */
  readonly store: boolean;
  /** Sources that were found before. */
  readonly before?: readonly Source[];
  /** The call of the first turn; null where its request was counted before, and its tokens alone are limited. */
  readonly first: ChatInference | null;
}

/**
 * Plans how a response is made. Throws StudioError for a tool that the caller may not use, or that
 * is not there.
 */
export async function openPlan(
  deps: PlanDeps,
  { actor, scopes, agentModels, requestId, session, signal, lasting: given, priority }: Asking,
  prepared: PreparedResponse,
  { store, before = [], first }: PlanOptions,
): Promise<Plan> {
  const { request } = prepared;
  const book = new SourceBook(before);
  const isAgent = agentModels === true && namesAgent(request);
  if (isAgent) refuseTools(request.tools);
  const tools = await openHostedTools(
    deps.hosted,
    { ctx: { actor, requestId, signal, priority }, scopes, book },
    request,
  );
  const maxCalls = request.max_tool_calls ?? MAX_CALLS;
  const lasting = request.background === true ? lastingName(prepared.id) : (given ?? null);
  const seed = request.background === true ? seedOf(prepared.id) : null;
  // The first call counts as a request; that others follow it is not for the caller to know.
  const laterActor = { ...actor, limits: { ...actor.limits, requestsPerMinute: null } };
  let left: readonly InputItem[] | null = null;
  let unused = first;
  const open = () => {
    const opened =
      unused ??
      deps.openChat({ actor: laterActor, requestId, endpoint: 'responses', startedMs: deps.now(), session, priority });
    unused = null;
    return opened;
  };
  return {
    prepared,
    tools,
    book,
    maxCalls,
    approved: approvedCalls(prepared, tools),
    unlisted: unlistedServers(prepared, tools),
    store,
    async admit({ turns, number, callsAreSpent }) {
      const inference = open();
      const asked = {
        ...(left === null ? prepared : { before: [], items: left }),
        turns,
        seed,
        tools: { hosted: callsAreSpent ? [] : tools, isFirst: number === 0, mustAnswer: number >= MAX_TURNS - 1 },
      };
      try {
        if (isAgent) {
          const items = await withFileData(countedFiles(deps, inference), { actor, requestId, signal }, prepared.items);
          const body = chatBodyOf(request, { ...asked, items });
          return await admitAgent(deps.agents, { actor, request, lasting, priority, inference }, body);
        }
        const body = chatBodyOf(request, asked);
        const chat = await inference.admit(Buffer.from(JSON.stringify(body)));
        return {
          inference,
          model: chat.model.id,
          ignored: [],
          isAgent,
          run: ({ take: events }, done) => inference.run(chat, { events }, done),
        };
      } catch (error) {
        throw new TurnRefused(inference, inTermsOfResponses(error));
      }
    },
    shorten() {
      if (request.truncation !== 'auto' || isAgent) return false;
      const shorter = laterHalf(left ?? [...prepared.before, ...prepared.items]);
      if (shorter !== null) left = shorter;
      return shorter !== null;
    },
  };
}

/** A turn was not admitted. What it was refused with is its cause; the call tells of limits. */
export class TurnRefused extends Error {
  readonly inference: ChatInference;

  constructor(inference: ChatInference, cause: unknown) {
    super('the turn was refused', { cause });
    this.inference = inference;
  }
}
