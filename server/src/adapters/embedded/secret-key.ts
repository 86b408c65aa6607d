import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '../../kernel/errors.ts';
import { makeDataFolder } from './data-folder.ts';

const FILE = 'secret.key';
const KEY_BYTES = 32;

/**
 * The key under which the installation keeps its secrets, from the data folder; made (readable by its owner alone) where
 * there is none. Several processes may ask at once. Throws StudioError `conflict` for a file that holds no key.
 */
export function readSecretKey(dataDir: string): Buffer {
  const file = join(dataDir, FILE);
  const existing = readKey(file);
  if (existing) return existing;
  makeDataFolder(dataDir);
  // Written whole under another name first: nobody ever reads half a key, and the first to link it wins.
  const temporaryFile = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(temporaryFile, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(temporaryFile, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporaryFile);
  }
  const created = readKey(file);
  if (!created) throw new Error(`${file} vanished`);
  return created;
}

/** The same where there is one already; null where not. */
export const findSecretKey = (dataDir: string): Buffer | null => readKey(join(dataDir, FILE));

function readKey(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (!/^[0-9a-f]{64}$/.test(text)) {
    throw new StudioError(
      'conflict',
      `${file} does not hold a key of this service. Put the right file back: without it what was sealed cannot be read.`,
    );
  }
  return Buffer.from(text, 'hex');
}
