import { type RawBuilder, sql } from 'kysely';
import { StudioError } from '../kernel/errors.ts';
import { wordPattern } from '../kernel/search-words.ts';
import { stripNul } from './validation.ts';

// What lists of talks have alike, be they with models or with agents: pages, places and the words that were found.

/** Characters of a snippet before its first match, and in all. */
const SNIPPET_LEAD = 40;
const SNIPPET_LENGTH = 160;

/** Where a page of a list ended: when its last talk was touched, to the millisecond, and the id of that. */
interface PagePosition {
  readonly updatedAt: Date;
  readonly id: string;
}

export const talkCursor = ({ updated_at: at, id }: { readonly updated_at: Date; readonly id: string | number }) =>
  `${at.getTime()}-${id}`;

/** Reads what {@link talkCursor} wrote, of a list whose ids look like `id`. Throws StudioError `invalid_request`. */
export function parseTalkCursor(cursor: string, id: RegExp): PagePosition {
  const [, time, found] = /^(\d{1,15})-(\w+)$/.exec(cursor) ?? [];
  if (time === undefined || found === undefined || !id.test(found))
    throw new StudioError('invalid_request', 'before must be what a page gave as next', {
      param: 'before',
      reason: 'invalid_field',
    });
  return { updatedAt: new Date(Number(time)), id: found };
}

interface WantedPlace {
  readonly pinned?: 'true' | 'false' | undefined;
  /** Id of a folder; `none`: of no folder. */
  readonly folder?: string | undefined;
}

/** Whether a row of `table` is pinned and lies where it is wanted. */
export function isInPlace(table: 'conversations' | 'agent_sessions', { pinned, folder }: WantedPlace) {
  const folderId = sql.ref(`${table}.folder_id`);
  const wanted: RawBuilder<boolean>[] = [sql`true`];
  if (pinned !== undefined) wanted.push(sql`${sql.ref(`${table}.pinned`)} = ${pinned === 'true'}`);
  if (folder === 'none') wanted.push(sql`${folderId} IS NULL`);
  else if (folder !== undefined) wanted.push(sql`${folderId} = ${stripNul(folder)}`);
  return sql<boolean>`(${sql.join(wanted, sql` AND `)})`;
}

/** Whether a text has all the words, in any case. */
export const hasWords = (text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${text} ILIKE ALL (${words.map(wordPattern)}::text[])`;

/** The part of a text around the first of the words. */
export const snippetAround = (text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<string> => {
  const start = sql`greatest(1, position(lower(${words[0] ?? ''}) IN lower(${text})) - ${sql.lit(SNIPPET_LEAD)})`;
  return sql<string>`substring(${text} FROM ${start}::int FOR ${sql.lit(SNIPPET_LENGTH)})`;
};

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
