import type { PromptPage, PromptQuery, PromptVersion } from '@ai-studio/contract/console/prompts.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { PersonActor } from '../kernel/actor.ts';
import { searchWords, wordPattern } from '../kernel/search-words.ts';
import type { DatabaseDeps } from '../ports/database.ts';
import { findPrompt, selectVisible, selectPrompts, toSummary } from './visible.ts';

/** Prompts that a person may use, the last changed first. */
export async function listPrompts(
  { db }: DatabaseDeps,
  actor: PersonActor,
  { text, show, from, size }: z.output<typeof PromptQuery>,
): Promise<z.infer<typeof PromptPage>> {
  const patterns = searchWords(text).map(wordPattern);
  const wanted = [
    ...(show === 'own' ? [sql<boolean>`owner_user_id = ${actor.userId}`] : []),
    ...(show === 'shared' ? [sql<boolean>`visibility = 'tenant'`] : []),
    ...(patterns.length === 0
      ? []
      : [
          sql<boolean>`concat_ws(' ', prompts.name, prompts.description, prompts.content) ILIKE ALL (${patterns}::text[])`,
        ]),
    sql<boolean>`true`,
  ];
  const [rows, counted] = await Promise.all([
    selectPrompts(db.query, actor)
      .where(({ and }) => and(wanted))
      .orderBy('prompts.updated_at', 'desc')
      .orderBy('prompts.id', 'desc')
      .offset(from)
      .limit(size)
      .execute(),
    selectVisible(db.query, actor)
      .where(({ and }) => and(wanted))
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { items: rows.map((row) => toSummary(actor, row)), total: Number(counted.count) };
}

/** The versions of a prompt, the newest first; for others than its owner those from its sharing on. Errors: `not_found`. */
export async function listVersions({ db }: DatabaseDeps, actor: PersonActor, id: string): Promise<PromptVersion[]> {
  const prompt = await findPrompt(db.query, actor, id);
  const from = prompt.owner_user_id === actor.userId ? 1 : (prompt.shared_version ?? prompt.version);
  const rows = await db.query
    .selectFrom('prompt_versions')
    .leftJoin('users', 'users.id', 'prompt_versions.user_id')
    .select(['version', 'content', 'prompt_versions.created_at', 'users.name as author'])
    .where('prompt_id', '=', prompt.id)
    .where('version', '>=', from)
    .orderBy('version', 'desc')
    .execute();
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }));
}
