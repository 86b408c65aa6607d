import { sql } from 'kysely';

/** Buckets of duration counts: up to 2^31 ms. */
export const BUCKETS = Array.from({ length: 32 }, (_, i) => i + 1);

/** Sums the duration counts of all rows of a group, bucket by bucket. */
export const sumOfCounts = (column: string) =>
  sql`ARRAY[${sql.join(BUCKETS.map((i) => sql`coalesce(sum(${sql.ref(column)}[${sql.lit(i)}]), 0)`))}]`;
