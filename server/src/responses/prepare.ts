import type { InputItem } from '@ai-studio/contract/responses/items.ts';
import type { ResponseRequest } from '@ai-studio/contract/responses/request.ts';
import type { KeyScope } from '../identity/index.ts';
import type { Actor } from '../kernel/actor.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { CallPriority } from '../kernel/priority.ts';
import { namesAgent, type ResponseAgents } from './agent-turn.ts';
import { itemsOf } from './chat-body.ts';
import type { ConversationStore } from './conversations.ts';
import { type FileDeps, holdsFilesOfUser, withFileTexts } from './files.ts';
import { type WithId, withIds } from './item-ids.ts';
import { readRequest } from './read-request.ts';
import type { ResponseStore } from './store.ts';

export interface PrepareDeps extends FileDeps {
  readonly store: ResponseStore;
  readonly conversations: ConversationStore;
  readonly agents: ResponseAgents;
  /** Whether the operator configured a search of the web. */
  readonly searchesWeb: boolean;
}

/** Who asks, in which request. */
export interface Asking {
  readonly actor: Actor;
  /** What the key may be used for. */
  readonly scopes: ReadonlySet<KeyScope>;
  /** Whether agents are models to the key; no, when left out. */
  readonly agentModels?: boolean;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  /** The conversation that the request names, by which its address is chosen. */
  readonly session?: string | null;
  readonly signal: AbortSignal;
  /** Names the work where it may be begun again by another process; left out: the response does, in the background. */
  readonly lasting?: string;
  /** How soon models are to serve it; `interactive` when left out. */
  readonly priority?: CallPriority;
}

/** A request that was checked, with all that it goes on from. */
export interface PreparedResponse {
  readonly id: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
  readonly request: ResponseRequest;
  readonly before: readonly InputItem[];
  readonly items: readonly WithId<InputItem>[];
  /** The conversation that it is added to; null where there is none. */
  readonly conversationId: string | null;
}

/** Items with those that they refer to: each once, where it is not there already. Throws StudioError `invalid_request`. */
async function withReferred(
  items: readonly InputItem[],
  before: readonly InputItem[],
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, InputItem>>,
): Promise<readonly InputItem[]> {
  const there = new Set(before.map(({ id }) => id));
  const wanted = items.flatMap((item) => (item.type === 'item_reference' && !there.has(item.id) ? [item.id] : []));
  const found = wanted.length === 0 ? new Map<string, InputItem>() : await find(wanted);
  return items.flatMap((item, at) => {
    if (item.type !== 'item_reference') return [item];
    if (there.has(item.id)) return [];
    const referred = found.get(item.id);
    if (referred) return [referred];
    throw invalidRequest(
      `input[${at}].id: there is no item ${quoteId(item.id)}; its response was not stored, was deleted, or is too old`,
      `input[${at}].id`,
    );
  });
}

/** Id of the conversation of a request; null where it names none. */
export const conversationOf = ({ conversation }: ResponseRequest): string | null =>
  typeof conversation === 'string' ? conversation : (conversation?.id ?? null);

function itemsBefore(
  { store, conversations }: PrepareDeps,
  { tenantId }: Actor,
  request: ResponseRequest,
): Promise<readonly InputItem[]> | readonly InputItem[] {
  const { previous_response_id: previous } = request;
  if (previous) return store.conversation(tenantId, previous);
  const conversation = conversationOf(request);
  return conversation === null ? [] : conversations.all(tenantId, conversation, 'conversation');
}

/** Whether the files of these items go to an agent as files; others are given what they say. */
const agentTakesFiles = async (
  { agents }: PrepareDeps,
  { actor, agentModels }: Asking,
  request: ResponseRequest,
  items: readonly InputItem[],
): Promise<boolean> =>
  agentModels === true &&
  namesAgent(request) &&
  holdsFilesOfUser(items) &&
  agents.takesFiles(actor.tenantId, request.model ?? '');

/** Names of what is left out of a request. */
interface Prepared {
  readonly prepared: PreparedResponse;
  readonly ignored: readonly string[];
}

/** Checks a request and gathers what it goes on from; its documents become texts. Rejects with StudioError. */
export async function prepareResponse(deps: PrepareDeps, asking: Asking, body: unknown): Promise<Prepared> {
  const { actor, startedMs, signal } = asking;
  const { request, ignored } = readRequest(body, deps);
  const itemsSaid = await itemsBefore(deps, actor, request);
  const find = (ids: readonly string[]) => deps.store.items(actor.tenantId, ids);
  const given = await withReferred(itemsOf(request.input), itemsSaid, find);
  const takesFiles = await agentTakesFiles(deps, asking, request, [...itemsSaid, ...given]);
  const items = withIds(await withFileTexts(deps, asking, given, takesFiles));
  // An agent took them as files, and a model goes on.
  const before = await withFileTexts(deps, asking, itemsSaid, takesFiles);
  signal.throwIfAborted();
  const createdAt = Math.floor(startedMs / 1000);
  const conversationId = conversationOf(request);
  return { prepared: { id: `resp_${hexId()}`, createdAt, request, before, items, conversationId }, ignored };
}
