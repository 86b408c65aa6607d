import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/**
 * Opens a file, has its stream read, and closes it in any case. A stream that opens the file itself stays open where nobody begins to
 * read it, and its failure then ends the process, as nobody listens to it. Rejects with the failures of both.
 */
export async function readOpened<T>(path: string, read: (content: Readable) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await read(file.createReadStream({ autoClose: false }));
  } finally {
    await file.close();
  }
}
