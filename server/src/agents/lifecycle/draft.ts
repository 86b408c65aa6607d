import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { AgentChange } from '@ai-studio/contract/console/agents.ts';
import { sql, type Transaction } from 'kysely';
import type { PersonActor } from '../../kernel/actor.ts';
import { type AuditedContext, writeAudit } from '../../identity/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Tables } from '../../ports/database.ts';
import { hashDefinition } from '../definition/hash.ts';
import { readDefinition } from '../definition/read.ts';
import { requireKnownFields, unknownFields } from '../definition/unknown-fields.ts';
import type { LifecycleDeps } from './deps.ts';
import { targetOf } from './agent-history.ts';
import { type AgentRow, findVersion, lockLiveAgent } from './rows.ts';

const clock = sql<Date>`clock_timestamp()`;
/** Saves of one person within so long are one line of the audit log. */
const AUDIT_MERGE_MS = 10 * 60_000;

/** Throws StudioError `conflict` (agent_saved_elsewhere), with the name of who saved it. */
export async function requireRevision(
  tx: Transaction<Tables>,
  { revision, saved_by: savedBy }: AgentRow,
  expected: number,
): Promise<void> {
  if (revision === expected) return;
  const saver = await tx
    .selectFrom('users')
    .select('name')
    .where('id', '=', savedBy ?? '')
    .executeTakeFirst();
  const name = saver?.name ?? '';
  throw new StudioError('conflict', `The agent was saved by ${name} in the meantime`, {
    reason: 'agent_saved_elsewhere',
    values: { name, revision },
  });
}

/** Throws StudioError `invalid_request` for a draft of a wrong form, or with fields that nobody here knows. */
function readDraft(given: unknown): AgentDefinition {
  const { definition, problems } = readDefinition(given);
  if (definition === null) {
    const [problem] = problems;
    const param = ['draft', problem?.node, problem?.field].filter((part) => typeof part === 'string').join('.');
    throw new StudioError('invalid_request', problem?.message ?? 'The draft has a wrong form', {
      param,
      reason: 'invalid_field',
    });
  }
  requireKnownFields(unknownFields(given, definition), 'draft');
  return definition;
}

/**
 * Changes name, description or draft; a draft is saved with its problems. Errors: `not_found`, `invalid_request` for a draft without
 * the revision it was read at or out of bounds, `conflict` (agent_archived, agent_saved_elsewhere).
 */
export async function changeAgent(
  { db }: LifecycleDeps,
  ctx: AuditedContext,
  id: string,
  { draft, revision, ...names }: AgentChange,
): Promise<void> {
  const { actor: person } = ctx;
  if (draft !== undefined && revision === undefined)
    throw new StudioError('invalid_request', 'revision is required with a draft', {
      param: 'revision',
      reason: 'invalid_field',
    });
  const read = draft === undefined ? null : readDraft(draft);
  await db.transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, person.tenantId, id);
    if (revision !== undefined) await requireRevision(tx, agent, revision);
    const named = Object.entries(names).filter(([key, value]) => agent[key as keyof typeof names] !== value);
    if (read !== null) await saveDraft(tx, person, agent, read);
    if (named.length > 0)
      await tx
        .updateTable('agents')
        .set({ ...Object.fromEntries(named), updated_at: clock })
        .where('id', '=', id)
        .execute();
    const fields = [
      ...named.map(([key]) => key),
      ...(read !== null && startsAuditEntry(agent, person) ? ['draft'] : []),
    ];
    if (fields.length === 0) return;
    const target = targetOf({ id, name: names.name ?? agent.name });
    await writeAudit(tx, ctx.auditActor, {
      action: 'agent_changed',
      target,
      detail: { slug: agent.slug, fields: fields.join(', ') },
    });
  });
}

/** Editors save by themselves, every few seconds. */
const startsAuditEntry = ({ revision, saved_by: before, saved_at: at }: AgentRow, { userId }: PersonActor) =>
  revision === 1 || before !== userId || Date.now() - at.getTime() > AUDIT_MERGE_MS;

async function saveDraft(
  tx: Transaction<Tables>,
  { userId }: PersonActor,
  { id, revision }: AgentRow,
  draft: AgentDefinition,
): Promise<void> {
  await tx
    .updateTable('agents')
    .set({
      draft: JSON.stringify(draft),
      draft_hash: hashDefinition(draft),
      revision: revision + 1,
      saved_by: userId,
      saved_at: clock,
      updated_at: clock,
    })
    .where('id', '=', id)
    .execute();
}

/** The draft becomes that of a version. Errors: `not_found`, `conflict` (agent_archived, agent_saved_elsewhere). */
export async function restoreDraft(
  { db }: LifecycleDeps,
  ctx: AuditedContext,
  id: string,
  { version_id: versionId, revision }: { readonly version_id: string; readonly revision: number },
): Promise<void> {
  const { actor: person } = ctx;
  await db.transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, person.tenantId, id);
    const version = await findVersion(tx, id, versionId);
    await requireRevision(tx, agent, revision);
    await saveDraft(tx, person, agent, AgentDefinition.parse(version.definition));
    await writeAudit(tx, ctx.auditActor, {
      action: 'agent_changed',
      target: targetOf(agent),
      detail: { slug: agent.slug, fields: 'draft', version: version.number },
    });
  });
}
