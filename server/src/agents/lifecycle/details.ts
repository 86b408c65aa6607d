import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import type { DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import type { PersonActor } from '../../kernel/actor.ts';
import { readDefinition } from '../definition/read.ts';
import type { LifecycleDeps } from './deps.ts';
import { readHead } from './heads.ts';
import { problemsOf } from './resources.ts';
import { lastReview } from './reviews.ts';
import { findAgent } from './rows.ts';

/** An agent with its draft and what is wrong with that. Errors: `not_found`. */
export async function readAgent(
  deps: LifecycleDeps,
  person: PersonActor,
  id: string,
): Promise<Omit<AgentDetails, 'a2a_url' | 'card_url'>> {
  const { head, draft: stored, revision } = await readHead(deps, person.tenantId, id);
  const draft = AgentDefinition.parse(stored);
  const [problems, review] = await Promise.all([
    problemsOf(deps, person, head.slug, draft),
    lastReview(deps, person, id),
  ]);
  return { ...head, revision, draft, problems, review };
}

/** What is wrong with a definition that is not saved. Errors: `not_found`. */
export async function checkAgent(
  deps: LifecycleDeps,
  person: PersonActor,
  id: string,
  given: unknown,
): Promise<readonly DefinitionProblem[]> {
  const { slug } = await findAgent(deps.db.query, person.tenantId, id);
  const { definition, problems } = readDefinition(given);
  return definition === null ? problems : problemsOf(deps, person, slug, definition);
}
