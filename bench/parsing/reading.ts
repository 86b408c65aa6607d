/** A process that reads documents one after the other and says what it took; see run.ts. */
import { readFileSync } from 'node:fs';
import { ParseError, type ReadOptions, ocrOff, standardLimits } from '@ai-studio/documents';
import { readDocument } from '@ai-studio/documents/readers';
import { type Facts, factsOf } from './facts.ts';

/** A job of the process on one document: a first reading, timed readings, or the facts to compare. */
export interface ReadingJob {
  readonly path: string;
  readonly name: string;
  readonly task: 'first' | 'timed' | 'facts';
  /** Whether text in pictures is recognised, in Korean and English. */
  readonly ocr: boolean;
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Result of a job. */
export interface ReadingReply {
  readonly refusal?: Refusal;
  /** Pages that the document has; 1 where its format has none. */
  readonly pages?: number;
  /** Of one reading: by the clock, and of all threads of the process. */
  readonly wallMs?: number;
  readonly cpuMs?: number;
  readonly facts?: Facts;
  readonly warnings?: readonly string[];
  /** Most memory that the process has had so far. */
  readonly peakMb: number;
}

const TIMED_MS = 200;
const MAX_READINGS = 10;

const peakMb = () => process.resourceUsage().maxRSS / 1024;
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function timed(bytes: Uint8Array, name: string, options: ReadOptions) {
  const startedMs = performance.now();
  const startedCpuMs = cpuMs();
  let readings = 0;
  do {
    // eslint-disable-next-line no-await-in-loop -- one after the other is what is measured
    await readDocument(bytes, name, options);
    readings++;
  } while (performance.now() - startedMs < TIMED_MS && readings < MAX_READINGS);
  return { wallMs: (performance.now() - startedMs) / readings, cpuMs: (cpuMs() - startedCpuMs) / readings };
}

async function reply({ path, name, task, ocr }: ReadingJob): Promise<ReadingReply> {
  const bytes = readFileSync(path);
  const options: ReadOptions = {
    limits: standardLimits,
    pages: null,
    ocr: ocr ? { mode: 'auto', languages: ['kor', 'eng'] } : ocrOff,
    onPage: () => undefined,
  };
  try {
    if (task === 'timed') return { ...(await timed(bytes, name, options)), peakMb: peakMb() };
    const document = await readDocument(bytes, name, options);
    if (task === 'first') return { pages: Math.max(1, document.pages.length), peakMb: peakMb() };
    return {
      facts: factsOf(document),
      warnings: document.warnings.map(({ code }) => code),
      peakMb: peakMb(),
    };
  } catch (error) {
    if (error instanceof ParseError) return { refusal: { code: error.code, message: error.message }, peakMb: peakMb() };
    return { refusal: { code: 'FAULT', message: String(error) }, peakMb: peakMb() };
  }
}

process.on('message', (job: ReadingJob) => {
  void reply(job).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
