import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { z } from 'zod';

// What a connector knows of its source from one listing to the next, as a cursor.

/** Longest form that is kept. */
const MAX_LENGTH = 8 * 1024 * 1024;
const MAX_INFLATED = 256 * 1024 * 1024;
const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** What a cursor holds; null where there is none, or it can't be read. */
export async function readPacked<T>(cursor: string | null, schema: z.ZodType<T>): Promise<T | null> {
  if (cursor === null) return null;
  try {
    const bytes = await unpack(Buffer.from(cursor, 'base64'), { maxOutputLength: MAX_INFLATED });
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

/** A cursor of it; null where it would be too long. */
export async function writePacked(state: unknown): Promise<string | null> {
  const text = (await pack(JSON.stringify(state))).toString('base64');
  return text.length > MAX_LENGTH ? null : text;
}
