import { type Prompt, type PromptSummary, promptVariables } from '@ai-studio/contract/console/prompts.ts';
import type { Kysely, Selectable } from 'kysely';
import type { PersonActor } from '../kernel/actor.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Tables } from '../ports/database.ts';
import type { PromptsTable } from './tables.ts';

/** A prompt as it is stored, with the name of its owner. */
export type PromptRow = Selectable<PromptsTable> & { readonly owner: string | null };

export const promptNotFound = () => new StudioError('not_found', 'There is no such prompt');

/** Prompts that are there for a person: their own, and those that are shared in their tenant. */
export const selectVisible = (query: Kysely<Tables>, { tenantId, userId }: PersonActor) =>
  query
    .selectFrom('prompts')
    .where('prompts.tenant_id', '=', tenantId)
    .where(({ or, eb }) => or([eb('owner_user_id', '=', userId), eb('visibility', '=', 'tenant')]));

/** The same with the name of the owner. */
export const selectPrompts = (query: Kysely<Tables>, actor: PersonActor) =>
  selectVisible(query, actor)
    .leftJoin('users', 'users.id', 'prompts.owner_user_id')
    .selectAll('prompts')
    .select('users.name as owner');

const ID = /^[0-9a-f]{32}$/;

/** Throws StudioError `not_found` for what is no id, is not there, or is not there for this person. */
export function findPrompt(query: Kysely<Tables>, actor: PersonActor, id: string): Promise<PromptRow> {
  // Such an id need not be looked for, and some of them cannot be.
  if (!ID.test(id)) throw promptNotFound();
  return selectPrompts(query, actor).where('prompts.id', '=', id).executeTakeFirstOrThrow(promptNotFound);
}

/** Whether a person may delete a prompt that is there for them, and take it back: their own, and, by their role, what is shared. */
export const mayDelete = (
  { userId, rights }: PersonActor,
  { owner_user_id: owner, visibility }: Pick<PromptRow, 'owner_user_id' | 'visibility'>,
): boolean => owner === userId || (visibility === 'tenant' && rights.has('prompts.manage'));

/** Whether they may change it too: what others read is written by who may share, and by who manages what is shared. */
export const mayChange = (actor: PersonActor, prompt: Pick<PromptRow, 'owner_user_id' | 'visibility'>): boolean =>
  mayDelete(actor, prompt) &&
  (prompt.visibility === 'private' || actor.rights.has('prompts.share') || actor.rights.has('prompts.manage'));

export const toSummary = (actor: PersonActor, row: PromptRow): PromptSummary => ({
  id: row.id,
  name: row.name,
  description: row.description,
  visibility: row.visibility,
  variables: [...promptVariables(row.content)],
  version: row.version,
  owner: row.owner,
  own: row.owner_user_id === actor.userId,
  changes: mayChange(actor, row),
  removes: mayDelete(actor, row),
  updated_at: row.updated_at.toISOString(),
});

export const toPrompt = (actor: PersonActor, row: PromptRow): Prompt => ({
  ...toSummary(actor, row),
  content: row.content,
});
