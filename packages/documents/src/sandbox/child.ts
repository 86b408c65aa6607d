import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { packDocument } from '../pack.ts';
import { ParseError } from '../parse-error.ts';
import { readDocument } from '../readers/index.ts';
import { type EarlierWork, Work, type WorkLimits, type WorkLog, processCpuMs } from '../work.ts';
import type { ChildMessage, ParseOrder, PictureJob } from './messages.ts';

// A process that reads documents, one at a time. It may read its own code and the folder of the files, and nothing else; what a file
// does to it ends with it.

const tell = (message: ChildMessage) => void process.send?.(message);

/** Progress is told so often, as documents may have thousands of pages. */
const TELL_MS = 100;

function refusal(error: unknown): ChildMessage {
  if (error instanceof ParseError) return { type: 'refused', code: error.code, message: error.message };
  // A reader met what it does not understand: the file is to blame, and the log of this process has where.
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return { type: 'refused', code: 'CORRUPTED', message: 'The document is damaged and cannot be read.' };
}

/** What is told of pages is told at once: the process may not come back from the next one. */
const log: WorkLog = {
  begin: (page, step) => tell({ type: 'begun', page, step, cpuMs: processCpuMs() }),
  keep(page, part) {
    const packed = deflateRawSync(serialize(part), { level: 1 });
    return new Promise((resolve) => process.send?.({ type: 'part', page, packed }, () => resolve()));
  },
};

function workOf(limits: WorkLimits, { parts, ...earlier }: EarlierWork): Work {
  const unpacked = [...parts].map(
    ([page, part]) => [page, deserialize(inflateRawSync(part as Uint8Array)) as unknown] as const,
  );
  return new Work({ limits, log, earlier: { ...earlier, parts: new Map(unpacked) } });
}

async function parse({ path, name, pages, limits, ocr, work, earlier }: ParseOrder): Promise<ChildMessage> {
  let toldMs = 0;
  try {
    const document = await readDocument(readFileSync(path), name, {
      limits,
      ocr,
      work: workOf(work, earlier),
      pages: pages === null ? null : new Set(pages),
      onPage(done, total) {
        const now = performance.now();
        if (now - toldMs < TELL_MS) return;
        toldMs = now;
        tell({ type: 'page', done, total });
      },
    });
    return { type: 'document', packed: packDocument(document) };
  } catch (error) {
    return refusal(error);
  }
}

async function draw({ path, picture: { page, width } }: PictureJob): Promise<ChildMessage> {
  try {
    const { pagePicture } = await import('../picture/index.ts');
    return { type: 'picture', png: await pagePicture(readFileSync(path), page, width) };
  } catch (error) {
    return refusal(error);
  }
}
// Who stops the service from a terminal tells all its processes: the one that owns this one decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('message', (job: ParseOrder | PictureJob) => void ('picture' in job ? draw(job) : parse(job)).then(tell));
process.on('disconnect', () => process.exit(0));
tell({ type: 'ready' });
