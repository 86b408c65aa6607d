import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../../server/test/support/service.ts';
import { makeCollection, RAG, searchIn, upload } from '../../server/test/support/retrieval.ts';

// Short documents into a service of its own, by the lexical embedder: how many a second, what each costs, and what searches feel of it.

export interface FlowResult {
  /** Documents a second, from the first byte until the last can be found. */
  readonly uploadsPerSecond: number;
  readonly bulkPerSecond: number;
  /** Processor time of the whole service for a document, in milliseconds. */
  readonly uploadCpuMs: number;
  readonly bulkCpuMs: number;
  /** Times of searches in milliseconds: with nothing else to do, and while documents come in. */
  readonly quiet: Quantiles;
  readonly busy: Quantiles;
  /** The same of each window, in turn. */
  readonly windows: readonly { readonly quiet: Quantiles; readonly busy: Quantiles }[];
}
interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

const UPLOADS_AT_ONCE = 8;
/** Documents a second that come in while searches are measured. */
const FLOW = 30;
/** Windows without documents and with them, in turn, so that what else the machine does counts in both; and the searches of each. */
const WINDOWS = 3;
const SEARCHES = 600;
/** The first searches of a window are not counted. */
const WARM_UP = 20;
/** After it the index has put away what came in. */
const SETTLE_MS = 7_000;
const HERTZ = 100;

const words =
  '예산 집행 계획 보고 회의 여비 규정 직원 휴가 신청 결재 문서 보안 점검 시설 관리 계약 구매 입찰 평가 감사 민원 접수 처리 기한 담당 부서 협조 요청 시행 공고 지침 개정 안내'.split(
    ' ',
  );
const sentence = (seed: number) =>
  Array.from({ length: 12 }, (_, at) => words[(seed * 31 + at * at * 7 + at * seed) % words.length]).join(' ');
const textOf = (at: number) =>
  `${sentence(at)}에 관한 ${at}번째 문서이다. ${sentence(at + 1_000)}. ${sentence(at * 3 + 7)}.`;

/** Processor time of a process and all below it, in milliseconds. Source: proc(5), /proc/PID/stat. */
function cpuMs(pid: number): number {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ');
  const own = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
  const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return (own * 1000) / HERTZ + children.reduce((sum, child) => sum + cpuMs(child), 0);
}

const quantiles = (times: readonly number[]): Quantiles => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
};

const TRIES = 20;

/** A machine with much else to do answers 503 at times; what is sent again then counts as once. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES) throw error;
      await sleep(500);
    }
}

async function countReady(service: Service, id: string): Promise<number> {
  const reply = await fetch(`${service.base}${RAG}/collections/${id}/documents?size=1&state=ready`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  return ((await reply.json()) as { result: { total: number } }).result.total;
}

async function untilReady(service: Service, id: string, count: number): Promise<void> {
  while ((await patiently(() => countReady(service, id))) < count) await sleep(50);
}

async function sendLines(service: Service, id: string, from: number, count: number): Promise<void> {
  const body = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ text: textOf(from + at), external_id: `e${from + at}`, metadata: { number: from + at } }),
  ).join('\n');
  const reply = await fetch(`${service.base}${RAG}/collections/${id}/documents/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
    body,
  });
  const lines = (await reply.text()).trim().split('\n');
  if (!reply.ok || lines.some((line) => !line.includes('"queued"'))) throw new Error(lines[0]);
}

async function sendFiles(service: Service, id: string, count: number): Promise<void> {
  let next = 0;
  const send = async () => {
    while (next < count) {
      const at = next++;
      await patiently(() => upload(service, id, `${at}.txt`, textOf(at)));
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, send));
}

/** Documents a second and the cost of each. */
async function rate(service: Service, count: number, send: (id: string) => Promise<void>) {
  const { collection_id: id } = await patiently(() =>
    makeCollection(service, { ingest_config: { embedding_model: 'lexical' } }),
  );
  const [began, before] = [performance.now(), cpuMs(service.pid)];
  await send(id);
  await untilReady(service, id, count);
  const seconds = (performance.now() - began) / 1000;
  return { id, perSecond: count / seconds, cpuMs: (cpuMs(service.pid) - before) / count };
}

/** Times of the searches of one window, in milliseconds. */
async function searchTimes(service: Service, id: string): Promise<number[]> {
  const times: number[] = [];
  for (let at = -WARM_UP; at < SEARCHES; at++) {
    const began = performance.now();
    await patiently(() => searchIn(service, id, sentence(Math.abs(at) * 13), { top_k: 5 }));
    if (at >= 0) times.push(performance.now() - began);
  }
  return times;
}

/** Does the work while so many documents a second come in. Resolves with what it gives and the number of the next document. */
async function whileFlowing<T>(service: Service, id: string, first: number, work: () => Promise<T>) {
  let [next, stopped] = [first, false];
  const flow = (async () => {
    while (!stopped) {
      const due = performance.now() + 1_000;
      await sendLines(service, id, next, FLOW);
      next += FLOW;
      await sleep(Math.max(0, due - performance.now()));
    }
  })();
  const result = await work();
  stopped = true;
  await flow;
  return { result, next };
}

/** Measures with so many uploads, and so many lines. */
export async function measureFlow(uploads: number, lines: number): Promise<FlowResult> {
  const service = await startService({
    makesDatabase: true,
    config: { limits: { requests_per_minute: null, tokens_per_minute: null } },
  });
  try {
    // What is loaded with the first document is not counted.
    await rate(service, 5, (id) => sendFiles(service, id, 5));
    process.stderr.write('  the service is warm\n');
    const byUpload = await rate(service, uploads, (id) => sendFiles(service, id, uploads));
    await rate(service, 50, (id) => sendLines(service, id, 0, 50));
    const byBulk = await rate(service, lines, async (id) => {
      for (let from = 0; from < lines; from += 1_000) await sendLines(service, id, from, Math.min(1_000, lines - from));
    });
    process.stderr.write('  documents are in\n');
    const { id } = byBulk;
    const all = { quiet: [] as number[], busy: [] as number[] };
    const windows: { quiet: Quantiles; busy: Quantiles }[] = [];
    let sent = lines;
    for (let window = 0; window < WINDOWS; window++) {
      await untilReady(service, id, sent);
      await sleep(SETTLE_MS);
      const quiet = await searchTimes(service, id);
      const { result: busy, next } = await whileFlowing(service, id, sent, () => searchTimes(service, id));
      sent = next;
      all.quiet.push(...quiet);
      all.busy.push(...busy);
      windows.push({ quiet: quantiles(quiet), busy: quantiles(busy) });
    }
    await untilReady(service, id, sent);
    return {
      uploadsPerSecond: byUpload.perSecond,
      bulkPerSecond: byBulk.perSecond,
      uploadCpuMs: byUpload.cpuMs,
      bulkCpuMs: byBulk.cpuMs,
      quiet: quantiles(all.quiet),
      busy: quantiles(all.busy),
      windows,
    };
  } finally {
    // Its database may still be putting things away; what was measured counts all the same.
    await service.close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
}
