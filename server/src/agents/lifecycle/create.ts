import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { NewAgent } from '@ai-studio/contract/console/agents.ts';
import type { PersonActor } from '../../kernel/actor.ts';
import type { AuditedContext } from '../../identity/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { hexId } from '../../kernel/ids.ts';
import { firstChoice } from '../../models/first-choice.ts';
import { readAgentFile } from '../definition/file.ts';
import { hashDefinition } from '../definition/hash.ts';
import type { Resources } from '../definition/resources.ts';
import { starter } from '../definition/starters.ts';
import { requireKnownFields } from '../definition/unknown-fields.ts';
import type { LifecycleDeps } from './deps.ts';
import { resourcesOf, agentOptions } from './resources.ts';
import { recordAction } from './agent-history.ts';
import { makeSlug } from './slug.ts';

/**
 * Makes an agent: of a template (a plain assistant where none is named) or of a file. Returns its id. Errors: `invalid_request`
 * (agent_form, agent_unknown_fields) for a definition of a wrong form, or with fields that nobody here knows.
 */
export async function createAgent(deps: LifecycleDeps, ctx: AuditedContext, given: NewAgent): Promise<string> {
  const { actor: person } = ctx;
  const draft =
    given.definition === undefined
      ? await templateDefinition(deps, person, given)
      : fromFile(given, await resourcesOf(deps, person));
  const id = hexId();
  const slug = makeSlug();
  const { name, description } = given;
  await deps.db.transaction(async (tx) => {
    await tx
      .insertInto('agents')
      .values({
        id,
        slug,
        tenant_id: person.tenantId,
        name,
        description,
        draft: JSON.stringify(draft),
        draft_hash: hashDefinition(draft),
        created_by: person.userId,
        saved_by: person.userId,
      })
      .execute();
    await recordAction(tx, ctx, { id, name, slug }, { action: 'created' });
  });
  return id;
}

/** A definition to begin from, with the model and collections that are named, else the first that there are. */
export async function templateDefinition(
  deps: LifecycleDeps,
  person: PersonActor,
  given: Pick<NewAgent, 'template' | 'language' | 'model' | 'collections'>,
): Promise<AgentDefinition> {
  const { models, collections } = await agentOptions(deps, person);
  const offered = new Set(models.map(({ id }) => id));
  const standard = firstChoice(
    deps.catalogue.list().filter(({ id }) => offered.has(id)),
    deps.catalogue.defaultModel,
  );
  return starter(given.template ?? 'plain_assistant', {
    language: given.language ?? 'en',
    model: given.model ?? standard?.id ?? '',
    collections: known(given.collections, collections) ?? collections.slice(0, 1).map(({ id }) => id),
  });
}

/** What is not there for the person is as good as not named. */
const known = (named: readonly string[] | undefined, there: readonly { readonly id: string }[]) => {
  const ids = new Set(there.map(({ id }) => id));
  return named?.filter((id) => ids.has(id));
};

function fromFile({ definition: given, leave_out: leavesOut }: NewAgent, usable: Resources): AgentDefinition {
  const { definition, problems, unknown } = readAgentFile(given, usable);
  if (definition !== null) {
    if (!leavesOut) requireKnownFields(unknown, 'definition');
    return definition;
  }
  const [first] = problems;
  const where = [first?.node, first?.field].filter((part) => part !== null && part !== undefined).join('.');
  throw new StudioError('invalid_request', first?.message ?? 'The definition has a wrong form', {
    param: where === '' ? 'definition' : `definition.${where}`,
    reason: 'agent_form',
    values: { problem: [where, first?.message ?? ''].filter((part) => part !== '').join(': ') },
  });
}
