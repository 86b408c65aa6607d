import { sql } from 'kysely';

/** Entries of duration counts that are looked at: up to 2^31 ms. */
export const ENTRIES = Array.from({ length: 32 }, (_, i) => i + 1);

/** Duration counts of all rows of a group, added up entry by entry. */
export const sumOfCounts = (column: string) =>
  sql`ARRAY[${sql.join(ENTRIES.map((i) => sql`coalesce(sum(${sql.ref(column)}[${sql.lit(i)}]), 0)`))}]`;
