import { z } from 'zod';
import { readPacked, writePacked } from './packed-state.ts';

// What is known of the pages of a site from one listing to the next: so that the server is asked only whether they changed.

const Known = z.object({
  /** Entity tag. */
  e: z.string().optional(),
  /** Time of the last change, as the server writes it. */
  m: z.string().optional(),
  /** Version and name of the document; left out where it is none. */
  v: z.string().optional(),
  n: z.string().optional(),
  /** Ids of the pages that it leads to. */
  l: z.array(z.string()),
});
export type KnownPage = z.infer<typeof Known>;
const State = z.record(z.string(), Known);

/** The pages by their ids; none where nothing is known, or it can't be read. */
export async function readState(cursor: string | null): Promise<ReadonlyMap<string, KnownPage>> {
  return new Map(Object.entries((await readPacked(cursor, State)) ?? {}));
}

/** The same for the next listing; null where it would be too long: then every page is asked for. */
export const writeState = (pages: ReadonlyMap<string, KnownPage>): Promise<string | null> =>
  writePacked(Object.fromEntries(pages));
