import type { NewPrompt, Prompt, PromptChange } from '@ai-studio/contract/console/prompts.ts';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { z } from 'zod';
import { type AuditedContext, type AuditNote, writeAudit } from '../identity/index.ts';
import type { PersonActor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { Database, DatabaseDeps, Tables } from '../ports/database.ts';
import { findPrompt, mayDelete, promptNotFound, type PromptRow, toPrompt } from './visible.ts';

/** Prompts of a person in a tenant: more than anybody has, and an end for whoever makes them without one. */
const MAX_PROMPTS = 1_000;
/** Versions of a prompt that are kept; the oldest make room. */
const MAX_VERSIONS = 50;

/** What the audit log says of it. The name of a private prompt is its owner's alone. */
const noteOf = (
  action: AuditNote['action'],
  { id, name, visibility, version }: Pick<PromptRow, 'id' | 'name' | 'visibility' | 'version'>,
): AuditNote => ({
  action,
  target: { kind: 'prompt', id, name: visibility === 'tenant' ? name : '' },
  detail: { visibility, version },
});

function requireShare({ rights }: PersonActor): void {
  if (!rights.has('prompts.share'))
    throw new StudioError('forbidden', 'Your role does not share prompts', { reason: 'role_missing' });
}

async function requireRoom({ query }: Database, { tenantId, userId }: PersonActor): Promise<void> {
  const last = await query
    .selectFrom('prompts')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('owner_user_id', '=', userId)
    .offset(MAX_PROMPTS - 1)
    .limit(1)
    .executeTakeFirst();
  if (last)
    throw new StudioError('conflict', `You have ${MAX_PROMPTS} prompts; delete some first`, {
      reason: 'too_many_prompts',
    });
}

async function addVersion(
  tx: Kysely<Tables>,
  { userId }: PersonActor,
  { id, version, content }: Pick<PromptRow, 'id' | 'version' | 'content'>,
): Promise<void> {
  await tx.insertInto('prompt_versions').values({ prompt_id: id, version, content, user_id: userId }).execute();
  await tx
    .deleteFrom('prompt_versions')
    .where('prompt_id', '=', id)
    .where('version', '<=', version - MAX_VERSIONS)
    .execute();
}

/** A prompt with its text. Errors: `not_found`. */
export const getPrompt = async ({ db }: DatabaseDeps, actor: PersonActor, id: string): Promise<Prompt> =>
  toPrompt(actor, await findPrompt(db.query, actor, id));

/** Keeps a prompt. Errors: `forbidden` (role_missing) where the role shares none, `conflict` (too_many_prompts). */
export async function createPrompt(
  { db }: DatabaseDeps,
  { actor, auditActor }: AuditedContext,
  { name, description, content, visibility }: z.output<typeof NewPrompt>,
): Promise<Prompt> {
  if (visibility === 'tenant') requireShare(actor);
  await requireRoom(db, actor);
  return db.transaction(async (tx) => {
    const id = hexId();
    await tx
      .insertInto('prompts')
      .values({
        id,
        tenant_id: actor.tenantId,
        owner_user_id: actor.userId,
        name,
        description,
        content,
        visibility,
        shared_version: visibility === 'tenant' ? 1 : null,
      })
      .execute();
    const made = await findPrompt(tx, actor, id);
    await addVersion(tx, actor, made);
    await writeAudit(tx, auditActor, noteOf('prompt_created', made));
    return toPrompt(actor, made);
  });
}

/** A prompt that a person may take back and delete, until the end of the transaction by nobody else. Errors: `not_found`, `forbidden`. */
async function lockPrompt(tx: Transaction<Tables>, actor: PersonActor, id: string): Promise<PromptRow> {
  const { id: known } = await findPrompt(tx, actor, id);
  await tx
    .selectFrom('prompts')
    .select('id')
    .where('id', '=', known)
    .forUpdate()
    .executeTakeFirstOrThrow(promptNotFound);
  const prompt = await findPrompt(tx, actor, known);
  if (!mayDelete(actor, prompt))
    throw new StudioError('forbidden', 'This prompt is changed by who made it, and by administrators', {
      reason: 'role_missing',
    });
  return prompt;
}

/**
 * Changes a prompt; another text makes a new version. Errors: `not_found`, `forbidden` (role_missing), `conflict` (prompt_changed).
 */
export function changePrompt(
  { db }: DatabaseDeps,
  { actor, auditActor }: AuditedContext,
  id: string,
  { version: from, name, description, content, visibility }: z.output<typeof PromptChange>,
): Promise<Prompt> {
  return db.transaction(async (tx) => {
    const before = await lockPrompt(tx, actor, id);
    if (before.version !== from)
      throw new StudioError('conflict', 'The prompt was changed meanwhile', { reason: 'prompt_changed' });
    // A prompt of somebody else that is made private would be gone for whoever makes it so.
    if (visibility === 'private' && before.owner_user_id !== actor.userId)
      throw new StudioError('forbidden', 'A prompt is made private by who made it', { reason: 'role_missing' });
    const text = content === undefined ? before.content : content;
    const isNew = text !== before.content;
    const version = before.version + (isNew ? 1 : 0);
    const to = { name: name ?? before.name, description: description ?? before.description };
    const shown = visibility ?? before.visibility;
    const begins = shown === 'tenant' && before.visibility === 'private';
    const isOther = isNew || to.name !== before.name || to.description !== before.description;
    // What others read is written by who may share, and by who manages what is shared.
    if (begins || (shown === 'tenant' && isOther && !actor.rights.has('prompts.manage'))) requireShare(actor);
    await tx
      .updateTable('prompts')
      .set({
        ...to,
        visibility: shown,
        content: text,
        version,
        shared_version: begins ? version : shown === 'tenant' ? before.shared_version : null,
        updated_at: sql<Date>`clock_timestamp()`,
      })
      .where('id', '=', before.id)
      .execute();
    const after = await findPrompt(tx, actor, before.id);
    if (isNew) await addVersion(tx, actor, after);
    await writeAudit(tx, auditActor, noteOf('prompt_changed', after));
    return toPrompt(actor, after);
  });
}

/** Deletes a prompt with its versions. Errors: `not_found`, `forbidden` (role_missing). */
export function deletePrompt({ db }: DatabaseDeps, { actor, auditActor }: AuditedContext, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const prompt = await lockPrompt(tx, actor, id);
    await tx.deleteFrom('prompts').where('id', '=', prompt.id).execute();
    await writeAudit(tx, auditActor, noteOf('prompt_removed', prompt));
  });
}
