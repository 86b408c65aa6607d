import { type AgentPerson, type LifecycleDeps, namesIn, readAgent } from '../index.ts';
import { actingOf, allowanceOf } from '../../identity/index.ts';
import { type AnyCall, partOf } from '../../console-kit/route.ts';
import type { AgentRouteDeps } from './deps.ts';

export const lifecycleOf = ({ db, catalogue, agents }: AgentRouteDeps): LifecycleDeps => ({ db, catalogue, ...agents });

/** The person of a call as one who builds. */
export async function builderOf(deps: AgentRouteDeps, { ctx, person, origin, signal }: AnyCall): Promise<AgentPerson> {
  const { models } = await allowanceOf(deps, ctx.tenantId);
  return {
    tenantId: ctx.tenantId,
    userId: person.userId,
    acting: actingOf(person, origin),
    approves: person.actions.has('agents.approve'),
    allowedModels: models,
    requestId: origin.requestId,
    signal,
  };
}

/** What is shown, with the names of the ids in it that the person may see. */
export async function withNames<T extends object>(deps: AgentRouteDeps, call: AnyCall, shown: T) {
  return { ...shown, names: await namesIn(lifecycleOf(deps), await builderOf(deps, call), shown) };
}

/** An agent as its page shows it, with its addresses. */
export async function shownAgent(deps: AgentRouteDeps, person: AgentPerson, call: AnyCall, id: string) {
  const agent = await readAgent(lifecycleOf(deps), person, id);
  const base = `${deps.address.of(call.request)}/api/v1/external/agents/${agent.slug}`;
  return { ...agent, a2a_url: `${base}/a2a`, card_url: `${base}/.well-known/agent-card.json` };
}

/** Does something with the agent of the path, and answers with what it is then. */
export async function changedAgent(
  deps: AgentRouteDeps,
  call: AnyCall,
  work: (person: AgentPerson, id: string) => Promise<void>,
) {
  const person = await builderOf(deps, call);
  const id = partOf(call, 'id');
  await work(person, id);
  return shownAgent(deps, person, call, id);
}
