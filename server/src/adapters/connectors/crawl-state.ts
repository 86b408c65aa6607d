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
  /** Id of the page that it names as the one to be taken in its place. */
  c: z.string().optional(),
  /** Ids of the pages that it leads to. */
  l: z.array(z.string()),
});
export type KnownPage = z.infer<typeof Known>;
const State = z.record(z.string(), Known);

/** Characters of the ids and links of pages that are remembered from one listing to the next; of further pages all is asked for. */
const MAX_KNOWN_LENGTH = 32_000_000;

/** The pages by their ids; none where nothing is known, or it can't be read. */
export async function readState(cursor: string | null): Promise<ReadonlyMap<string, KnownPage>> {
  return new Map(Object.entries((await readPacked(cursor, State)) ?? {}));
}

/** What the next listing is to know. */
export class PageMemory {
  readonly #pages = new Map<string, KnownPage>();
  #length = 0;

  note(id: string, page: KnownPage): void {
    this.#length += page.l.reduce((sum, link) => sum + link.length, id.length);
    if (this.#length <= MAX_KNOWN_LENGTH) this.#pages.set(id, page);
  }

  /** A cursor of it; null where it would be too long: then every page is asked for. */
  write(): Promise<string | null> {
    return writePacked(Object.fromEntries(this.#pages));
  }
}
