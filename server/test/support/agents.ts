import { AgentDetails, type AgentReview } from '@ai-studio/contract/console/agents.ts';
import { expect } from 'vitest';
import type { Answer } from './console.ts';
import type { SignedInBrowser } from './people.ts';

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
