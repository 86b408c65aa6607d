import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { BulkUploaded } from '@ai-studio/contract/retrieval/bulk.ts';
import type { Extraction, ExtractionDocuments } from '@ai-studio/contract/retrieval/extraction.ts';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askFine, type List, makeCollection, RAG, upload, within, wordHits } from '../support/retrieval.ts';
import { freePort, type Service, startService, temporaryFolder, untilReady } from '../support/service.ts';
import { pidsOf, type Victim } from './processes.ts';
import { type Chance, createChance } from './seeded.ts';

// kill -9 of any process of a service while documents are taken in, and while values are extracted from all of them: each document is taken in
// once and looked through once, and none has failed. In the long run alone. STUDIO_DOCUMENTS, STUDIO_KILLS and STUDIO_KILL_SEED choose how many.

const DOCUMENTS = Number(process.env['STUDIO_DOCUMENTS'] ?? 1_000);
const KILLS = Number(process.env['STUDIO_KILLS'] ?? 30);
const seed = process.env['STUDIO_KILL_SEED'] ?? randomBytes(4).toString('hex');
/** One in so many is a PDF, which a process of its own reads; one in so many is long, and taken in alone. */
const PDF_EVERY = 20;
const LONG_EVERY = 25;
const victims: readonly Victim[] = ['service', 'worker', 'parser', 'database'];
const LONGEST_PAUSE_MS = 1_500;
const END_MS = 1_800_000;

let dataFolder: string;
let port: number;
let service: Service;
const config = {
  server: { workers: 2 },
  limits: { requests_per_minute: null, tokens_per_minute: null },
  log: { level: 'warn' },
};

beforeAll(async () => {
  dataFolder = await temporaryFolder();
  port = await freePort();
  service = await startService({ dataFolder, port, config });
});
afterAll(async () => {
  await service?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

/** Kills one process of some kind, and waits until the service answers again. Where none of it runs, the service itself goes. */
async function kill(chance: Chance): Promise<Victim> {
  const wanted = chance.pick(victims);
  const found = wanted === 'service' ? [] : pidsOf(wanted, service);
  if (found.length === 0) {
    await service.kill();
    service = await startService({ dataFolder, port, config });
    return 'service';
  }
  try {
    process.kill(chance.pick(found), 'SIGKILL');
  } catch (error) {
    // It has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await untilReady(service);
  return wanted;
}

/** Kills as long as the work goes on, as often as is left. */
async function killDuring(done: () => Promise<boolean>, left: number, chance: Chance, told: Map<Victim, number>) {
  let killed = 0;
  while (killed < left && !(await within(done))) {
    await wait(chance.next() * LONGEST_PAUSE_MS);
    const victim = await kill(chance);
    told.set(victim, (told.get(victim) ?? 0) + 1);
    killed++;
  }
  return killed;
}

const textOf = (at: number) => {
  const fill = at % LONG_EVERY === 0 ? '이 계약은 서로의 믿음으로 지킨다. '.repeat(2_500) : '';
  return `계약서\n\n계약 번호: C-${String(at).padStart(5, '0')}\n계약 상대자: 상대${at} 주식회사\n\n${fill}`;
};

async function sendAll(id: string): Promise<void> {
  const lines: string[] = [];
  for (let at = 0; at < DOCUMENTS; at++) {
    if (at % PDF_EVERY !== 1) {
      lines.push(JSON.stringify({ text: textOf(at), name: `c${at}.txt`, external_id: `c${at}` }));
      continue;
    }
    const pdf = new PdfWriter();
    pdf.page().text(72, 72, `Contract number: C-${String(at).padStart(5, '0')}`);
    await upload(service, id, `c${at}.pdf`, pdf.bytes(), { external_id: `c${at}` });
  }
  const reply = await fetch(`${service.base}${RAG}/collections/${id}/documents/bulk`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/x-ndjson',
      accept: 'application/json',
    },
    body: lines.join('\n'),
  });
  const { result } = (await reply.json()) as { result: unknown };
  expect(BulkUploaded.parse(result).queued).toBe(lines.length);
}

const countOf = async (id: string, state: string) =>
  (await askFine<List<unknown>>(service, `collections/${id}/documents?size=1&state=${state}`)).total;

test(
  `${DOCUMENTS} documents through ${KILLS} kills of any process, and values of all of them: each once, none failed`,
  { timeout: 2 * END_MS },
  async () => {
    const chance = createChance(seed);
    const told = new Map<Victim, number>();
    const { collection_id: id } = await makeCollection(service, { search_config: { mode: 'keyword' } });
    await sendAll(id);
    const isIn = async () => (await countOf(id, 'ready')) + (await countOf(id, 'failed')) === DOCUMENTS;
    const during = await killDuring(isIn, Math.ceil(KILLS / 2), chance, told);
    await within(async () => expect(await isIn()).toBe(true), END_MS);
    const failed = await askFine<List<{ error: unknown }>>(service, `collections/${id}/documents?size=10&state=failed`);
    expect(
      failed.items.map(({ error }) => error),
      `seed ${seed}`,
    ).toEqual([]);
    // Each is found once: an id of a contract stands in one document.
    for (const at of [0, 1, 2, LONG_EVERY, DOCUMENTS - 1]) {
      const number = `C-${String(at).padStart(5, '0')}`;
      const hits = (await wordHits(service, id, number)).filter(({ content }) => content.includes(number));
      // A long one repeats the end of a chunk in the next.
      expect(new Set(hits.map(({ document_id: document }) => document)).size, number).toBe(1);
      expect(new Set(hits.map(({ chunk_id: chunk }) => chunk)).size, number).toBe(hits.length);
    }

    const schema = {
      type: 'object',
      properties: { number: { type: 'string', title: '계약 번호', description: 'Contract number' } },
    };
    const path = `collections/${id}/extractions`;
    const { extraction_id: run } = await askFine<Extraction>(service, path, { body: { schema } });
    const read = () => askFine<Extraction>(service, `${path}/${run}`);
    await killDuring(async () => (await read()).state !== 'running', KILLS - during, chance, told);
    await within(async () => expect((await read()).state).toBe('done'), END_MS);
    expect(await read(), `seed ${seed}`).toMatchObject({ total: DOCUMENTS, done: DOCUMENTS, failed: 0 });
    const names = new Map<string, string>();
    for (let from = 0; from < DOCUMENTS; from += 100) {
      const part = await askFine<ExtractionDocuments>(service, `${path}/${run}/documents?size=100&from=${from}`);
      for (const { document_name: name, error, fields } of part.items) {
        expect([name, error]).toEqual([name, null]);
        expect(names.has(name), name).toBe(false);
        names.set(name, String(fields.find(({ name: field }) => field === 'number')?.value));
      }
    }
    expect(names.size).toBe(DOCUMENTS);
    const wrong = [...names].filter(([name, value]) => {
      const at = Number(/\d+/.exec(name)?.[0]);
      return name.endsWith('.txt') && value !== `C-${String(at).padStart(5, '0')}`;
    });
    expect(wrong, `seed ${seed}`).toEqual([]);
    console.info(`seed ${seed}: ${[...told].map(([victim, count]) => `${victim} ${count}`).join(', ')}`);
  },
);
