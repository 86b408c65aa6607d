import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a small file so that whoever reads it sees the old text or the new, never half of one. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const next = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.new`;
  try {
    await writeFile(next, text);
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
