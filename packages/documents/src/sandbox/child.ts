import { readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Warning } from '../document.ts';
import { packDocument } from '../pack.ts';
import { ParseError } from '../parse-error.ts';
import { readDocument } from '../readers/index.ts';
import type { ReadOptions } from '../reader.ts';
import { type WorkCheckpoint, Work, type WorkLimits, type WorkLog, processCpuMs } from '../work.ts';
import type { ChildMessage, ParseTask, PictureJob } from './messages.ts';

// A process that reads documents, one at a time. It may read its own code and the folder of the files, and nothing else; what a file
// does to it ends with it.

const sendToParent = (message: ChildMessage) => void process.send?.(message);

/** The service, and what it answers meanwhile, comes first on a full machine. Source: nice(1), 0 to 19. */
const CHILD_NICENESS = 5;

/** Progress is sent at most this often, because documents may have thousands of pages. */
const PROGRESS_INTERVAL_MS = 100;

function toRefusal(error: unknown): ChildMessage {
  if (error instanceof ParseError)
    return { type: 'refused', code: error.code, message: error.message, savedAs: error.savedAs };
  // A reader met what it does not understand: the file is to blame, and the log of this process has where.
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return { type: 'refused', code: 'CORRUPTED', message: 'The document is damaged and cannot be read.' };
}

/** Sends page events at once, because the process may hang on the next page. */
const log: WorkLog = {
  begin: (page, step) => sendToParent({ type: 'begun', page, step, cpuMs: processCpuMs() }),
  store(page, part) {
    const packed = deflateRawSync(serialize(part), { level: 1 });
    return new Promise((resolve) => process.send?.({ type: 'part', page, packed }, () => resolve()));
  },
};

function workOf(limits: WorkLimits, { parts, ...earlier }: WorkCheckpoint): Work {
  const unpacked = [...parts].map(
    ([page, part]) => [page, deserialize(inflateRawSync(part as Uint8Array)) as unknown] as const,
  );
  return new Work({ limits, log, earlier: { ...earlier, parts: new Map(unpacked) } });
}

const convertedWarning: Warning = {
  code: 'converted',
  message: 'The document is of an older format; it was read as LibreOffice saves it.',
};

async function parse({
  path,
  name,
  pages,
  limits,
  ocr,
  work,
  earlier,
  converted,
  seen,
  hasOffice = false,
}: ParseTask): Promise<ChildMessage> {
  let sentMs = 0;
  try {
    const options: ReadOptions = {
      limits,
      ocr,
      hasOffice,
      work: workOf(work, earlier),
      pages: pages === null ? null : new Set(pages),
      onPage(done, total) {
        const now = performance.now();
        if (now - sentMs < PROGRESS_INTERVAL_MS) return;
        sentMs = now;
        sendToParent({ type: 'page', done, total });
      },
    };
    const bytes = readFileSync(path);
    const document =
      seen === undefined
        ? await readDocument(bytes, name, options)
        : await (await import('../readers/seen.ts')).readSeen(bytes, name, seen, options);
    const told = converted === true ? { ...document, warnings: [convertedWarning, ...document.warnings] } : document;
    return { type: 'document', packed: packDocument(told) };
  } catch (error) {
    return toRefusal(error);
  }
}

async function draw({ path, picture: { page, width } }: PictureJob): Promise<ChildMessage> {
  try {
    const { pagePicture } = await import('../picture/index.ts');
    return { type: 'picture', ...(await pagePicture(readFileSync(path), page, width)) };
  } catch (error) {
    return toRefusal(error);
  }
}
try {
  setPriority(Math.max(CHILD_NICENESS, getPriority()));
} catch {
  // Where that is forbidden, documents are read all the same.
}
// A terminal signals all processes of the service; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on(
  'message',
  (job: ParseTask | PictureJob) => void ('picture' in job ? draw(job) : parse(job)).then(sendToParent),
);
process.on('disconnect', () => process.exit(0));
sendToParent({ type: 'ready' });
