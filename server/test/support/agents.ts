import { AgentDetails, type AgentReview } from '@ai-studio/contract/console/agents.ts';
import { expect } from 'vitest';
import { deployedBySlug } from '../../src/agents/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { type Answer, type ConsoleHouse, openConsoleHouse } from './console.ts';
import { makeTenant, personOf, type SignedInBrowser } from './people.ts';

/** A tenant with people of every role, a stranger of another one, and collections to build on. */
export interface AgentTenants {
  readonly house: ConsoleHouse;
  readonly dev: SignedInBrowser;
  readonly colleague: SignedInBrowser;
  readonly chief: SignedInBrowser;
  readonly second: SignedInBrowser;
  readonly user: SignedInBrowser;
  readonly stranger: SignedInBrowser;
  /** Collections: one that everybody of the tenant may search, one of the developer's own, and one of the other tenant. */
  readonly shared: string;
  readonly own: string;
  readonly theirs: string;
}

/** Makes an empty collection. */
export async function newCollection(who: SignedInBrowser, visibility: string): Promise<string> {
  const made = await who.post('/collections', { collection_name: `Rules ${visibility}`, visibility });
  expect(made.status, made.text).toBe(201);
  return made.json<{ collection_id: string }>().collection_id;
}

export async function openAgentTenants(): Promise<AgentTenants> {
  const house = await openConsoleHouse();
  const ours = await makeTenant(house, 'Ours');
  const dev = await personOf(house, ours, 'developer', 'Dana');
  const stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator', 'Stranger');
  return {
    house,
    dev,
    colleague: await personOf(house, ours, 'developer', 'Colin'),
    chief: await personOf(house, ours, 'administrator', 'Chia'),
    second: await personOf(house, ours, 'administrator', 'Sora'),
    user: await personOf(house, ours, 'user', 'Uma'),
    stranger,
    shared: await newCollection(dev, 'tenant'),
    own: await newCollection(dev, 'private'),
    theirs: await newCollection(stranger, 'tenant'),
  };
}

/** Number of the version that callers of an agent get; null where they get none. */
export async function calledBy({ db }: ConsoleHouse, tenantId: TenantId, slug: string): Promise<number | null> {
  const found = await deployedBySlug({ db }, tenantId, slug);
  return found?.deployed === true ? found.versionNumber : null;
}

/** Fields of a new agent that answers from collections. */
export const withCollections = (ids: string[]) => ({ template: 'knowledge_answer', collections: ids });

/** The agent of an answer that is well. */
export function agentOf(answer: Answer, status = 200): AgentDetails {
  expect(answer.status, answer.text).toBe(status);
  return AgentDetails.parse(answer.json());
}

/** Makes an agent, a plain assistant where nothing else is said. */
export const makeAgent = async (who: SignedInBrowser, fields: object = {}): Promise<AgentDetails> =>
  agentOf(await who.post('/agents', { name: 'Helper', ...fields }), 201);

/** The review that waits, as somebody looked at it. */
export function waiting({ review }: AgentDetails): AgentReview {
  expect(review?.state).toBe('pending');
  return review as AgentReview;
}

/** Asks for the deployment of a draft as it is. */
export const submit = async (who: SignedInBrowser, { id, revision }: AgentDetails, note = ''): Promise<AgentDetails> =>
  agentOf(await who.post(`/agents/${id}/submit`, { revision, note }));

/** What the approval of a review says. */
export const approval = (agent: AgentDetails): { review_id: string; hash: string } => {
  const { id, hash } = waiting(agent);
  return { review_id: id, hash };
};

/** Submits a draft and has it approved. */
export async function deploy(
  by: SignedInBrowser,
  approver: SignedInBrowser,
  agent: AgentDetails,
): Promise<AgentDetails> {
  const submitted = await submit(by, agent);
  return agentOf(await approver.post(`/agents/${agent.id}/approve`, approval(submitted)));
}

/** Saves a draft in which the first model is told something else. */
export async function saveOther(who: SignedInBrowser, agent: AgentDetails, system: string): Promise<AgentDetails> {
  const nodes = agent.draft.nodes.map((node) => (node.kind === 'model' ? { ...node, system } : node));
  const { id, revision, draft } = agent;
  return agentOf(await who.patch(`/agents/${id}`, { draft: { ...draft, nodes }, revision }));
}
