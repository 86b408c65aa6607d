import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';

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

/** Longest form that is kept; of larger sites every page is asked for. */
const MAX_LENGTH = 8 * 1024 * 1024;
const MAX_INFLATED = 256 * 1024 * 1024;
const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The pages by their ids; none where nothing is known, or it can't be read. */
export async function readState(cursor: string | null): Promise<ReadonlyMap<string, KnownPage>> {
  if (cursor === null) return new Map();
  try {
    const bytes = await unpack(Buffer.from(cursor, 'base64'), { maxOutputLength: MAX_INFLATED });
    return new Map(Object.entries(State.parse(JSON.parse(bytes.toString('utf8')))));
  } catch {
    return new Map();
  }
}

/** The same for the next listing; null where it would be too long. */
export async function writeState(pages: ReadonlyMap<string, KnownPage>): Promise<string | null> {
  const text = (await pack(JSON.stringify(Object.fromEntries(pages)))).toString('base64');
  return text.length > MAX_LENGTH ? null : text;
}
