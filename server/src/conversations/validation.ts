import { StudioError } from '../kernel/errors.ts';

export const conversationNotFound = () => new StudioError('not_found', 'There is no such conversation');

const ID = /^[0-9a-f]{32}$/;

/** Refuses what can't be an id before the database is asked. Throws StudioError `not_found`. */
export function requireId(id: string): string {
  if (!ID.test(id)) throw conversationNotFound();
  return id;
}

/** Removes the characters that PostgreSQL cannot store. */
export const stripNul = (text: string): string => text.replaceAll('\0', '');
