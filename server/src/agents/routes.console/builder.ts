import { type LifecycleDeps, resolveNames, readAgent } from '../index.ts';
import type { AuditedContext } from '../../identity/index.ts';
import type { PersonActor } from '../../kernel/actor.ts';
import { actorOf, contextOf } from '../../console-kit/allowance.ts';
import { type AnyCall, paramOf } from '../../console-kit/route.ts';
import type { AgentRouteDeps } from './deps.ts';

export const lifecycleOf = ({ db, catalogue, agents }: AgentRouteDeps): LifecycleDeps => ({ db, catalogue, ...agents });

/** What is shown, with the names of the ids in it that the person may see. */
export async function withNames<T extends object>(deps: AgentRouteDeps, call: AnyCall, shown: T) {
  return { ...shown, names: await resolveNames(lifecycleOf(deps), await actorOf(deps, call), shown) };
}

/** An agent as its page shows it, with its addresses. */
export async function readAgentPage(deps: AgentRouteDeps, person: PersonActor, call: AnyCall, id: string) {
  const agent = await readAgent(lifecycleOf(deps), person, id);
  const base = `${deps.address.urlOf(call.request)}/api/v1/external/agents/${agent.slug}`;
  return { ...agent, a2a_url: `${base}/a2a`, card_url: `${base}/.well-known/agent-card.json` };
}

/** Does something with the agent of the path, and answers with what it is then. */
export async function changeAndReadAgent(
  deps: AgentRouteDeps,
  call: AnyCall,
  work: (ctx: AuditedContext, id: string) => Promise<void>,
) {
  const ctx = await contextOf(deps, call);
  const id = paramOf(call, 'id');
  await work(ctx, id);
  return readAgentPage(deps, ctx.actor, call, id);
}
