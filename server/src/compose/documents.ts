import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import type { HttpOptions } from '../http/index.ts';
import type { Logger } from '../kernel/log.ts';
import { createParsePool, standardLimits } from '../parsing/index.ts';

/** What reads documents in this process. */
interface Documents {
  readonly options: HttpOptions['documents'];
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
/** The part of a process's memory that is no JavaScript: what is read, and what reads it. */
const HEAP_SHARE = 0.6;

/** Prepares the folder of files that are being read, and the processes that read them. */
export async function openDocuments({ data_dir, documents }: Config, log: Logger): Promise<Documents> {
  const parent = join(data_dir, 'parsing');
  const folder = join(parent, String(process.pid));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeft(parent, folder);
  const pool = createParsePool({
    folder,
    size: documents.processes,
    maxQueue: documents.max_queue,
    heapMb: Math.floor(documents.memory_mb * HEAP_SHARE),
    memoryBytes: documents.memory_mb * MIB,
    log,
  });
  return {
    options: {
      pool,
      folder,
      limits: standardLimits,
      timeoutMs: documents.timeout_ms,
      maxUploadBytes: documents.upload_bytes,
    },
    async close() {
      await pool.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Files of processes that were ended before they could clear up. */
async function removeLeft(parent: string, own: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (path !== own && !isAlive(Number(name))) await rm(path, { recursive: true, force: true });
  }
}
