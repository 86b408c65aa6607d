import type { AgentDefinition, DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import type { AgentOptions } from '@ai-studio/contract/console/agents.ts';
import { sql } from 'kysely';
import type { PersonActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { realFirst } from '../../models/first-choice.ts';
import { listCollectionNames } from '../../retrieval/index.ts';
import { checkDefinition } from '../definition/check/index.ts';
import type { Resources } from '../definition/resources.ts';
import type { LifecycleDeps } from './deps.ts';

/** The collections that the person may search. */
export const collectionsOf = ({ db }: LifecycleDeps, person: PersonActor) => listCollectionNames({ db }, person);

/** Everything that a definition of this person may use. `slug` is the agent's own; other agents only where it `calls` any. */
export async function resourcesOf(
  deps: LifecycleDeps,
  person: PersonActor,
  { slug = null, calls = false }: { readonly slug?: string | null; readonly calls?: boolean } = {},
): Promise<Resources> {
  const { catalogue } = deps;
  const [collections, agents, servers] = await Promise.all([
    collectionsOf(deps, person),
    calls ? calledAgents(deps, person.tenantId) : new Map<string, null>(),
    deps.servers(person),
  ]);
  const usable = new Map(usableModels(deps, person).map((model) => [model.id, model]));
  return {
    model: (id) => (usable.get(id)?.kind === 'chat' ? { tools: catalogue.get(id)?.tools ?? false } : null),
    reranks: (id) => usable.get(id)?.kind === 'rerank',
    collections: new Set(collections.map(({ id }) => id)),
    agents,
    slug,
    servers: new Map(
      servers.map(({ id, tools }) => [
        id,
        new Map(tools.map(({ name, parameters }) => [name, requiredOf(parameters)])),
      ]),
    ),
  };
}

/** Names of arguments, of the JSON Schema of a tool that somebody else wrote. */
function requiredOf(parameters: unknown): readonly string[] {
  const { required } = (typeof parameters === 'object' && parameters !== null ? parameters : {}) as {
    required?: unknown;
  };
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

const usableModels = ({ catalogue }: LifecycleDeps, { allowedModels }: PersonActor) =>
  catalogue.list().filter(({ id }) => allowedModels === null || allowedModels.has(id));

/** The agents of a tenant by slug, with the slugs that their deployed version calls; null where none is deployed. */
async function calledAgents({ db }: LifecycleDeps, tenantId: TenantId): Promise<Map<string, string[] | null>> {
  const { rows } = await sql<{ slug: string; calls: string[] | null }>`
    SELECT agents.slug, CASE WHEN v.id IS NULL THEN NULL ELSE ARRAY(
      SELECT DISTINCT node->>'agent' FROM jsonb_array_elements(v.definition->'nodes') node
      WHERE node->>'kind' = 'agent') END AS calls
    FROM agents LEFT JOIN agent_versions v ON v.id = agents.deployed_version_id
    WHERE agents.tenant_id = ${tenantId} AND agents.archived_at IS NULL`.execute(db.query);
  return new Map(rows.map(({ slug, calls }) => [slug, calls]));
}

/** What the builder offers. */
export async function agentOptions(deps: LifecycleDeps, person: PersonActor): Promise<AgentOptions> {
  const [collections, agents, servers] = await Promise.all([
    collectionsOf(deps, person),
    deps.db.query
      .selectFrom('agents')
      .select(['id', 'slug', 'name'])
      .where('tenant_id', '=', person.tenantId)
      .where('deployed_version_id', 'is not', null)
      .orderBy('name')
      .orderBy('id')
      .execute(),
    deps.servers(person),
  ]);
  const models = usableModels(deps, person);
  return {
    models: realFirst(models.filter(({ kind }) => kind === 'chat')).map(({ id, tools }) => ({ id, name: id, tools })),
    rerank_models: models.filter(({ kind }) => kind === 'rerank').map(({ id }) => id),
    collections: [...collections],
    agents,
    servers: servers.map(({ id, name, kind, tools }) => ({ id, name, kind, tools: [...tools] })),
  };
}

/** What is wrong with an agent's definition, for this person. */
export async function problemsOf(
  deps: LifecycleDeps,
  person: PersonActor,
  slug: string,
  definition: AgentDefinition,
): Promise<DefinitionProblem[]> {
  const calls = definition.nodes.some(({ kind }) => kind === 'agent');
  return checkDefinition(definition, await resourcesOf(deps, person, { slug, calls }));
}

/** Throws StudioError `conflict` (agent_has_errors) for a definition that cannot run. */
export async function requireNoErrors(...given: Parameters<typeof problemsOf>): Promise<void> {
  const errors = (await problemsOf(...given)).filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) return;
  const where = [first.node, first.field].filter((part) => part !== null).join('.');
  throw new StudioError('conflict', `The agent has errors, such as ${where}: ${first.message}`, {
    reason: 'agent_has_errors',
    values: { errors: errors.length },
  });
}
