import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a small file atomically: readers see the old text or the new one. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporaryPath = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.new`;
  try {
    await writeFile(temporaryPath, text);
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}
