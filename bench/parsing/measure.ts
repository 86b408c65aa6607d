import { type Case, factsOfTruth } from './cases.ts';
import type { Facts, PieceKind } from './facts.ts';
import { type Hits, headings, paragraphs, sentenceOrder, tableCells, textOrder, textRecall, words } from './metrics.ts';
import { type Agreement, type PeerFiles, agreementOf, factsOfPeer } from './peers.ts';
import { createReaderProcess } from './reader-process.ts';
import type { ReadingReply, Refusal } from './reading.ts';

/** Result of one document; figures that need a ground truth are null without one. */
export interface Outcome {
  readonly name: string;
  readonly format: string;
  readonly refusal: Refusal | null;
  readonly pages: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly recall: number | null;
  readonly order: number | null;
  readonly sequence: number | null;
  readonly cells: Hits | null;
  readonly headings: Hits | null;
  readonly paragraphs: Hits | null;
  readonly words: Hits | null;
  readonly warnings: readonly string[];
  /** With each peer that read the document; none for what a peer read. */
  readonly agreements: readonly Agreement[];
}

/** Results of the documents of one format. */
export interface FormatOutcome {
  readonly format: string;
  /** Who read them where it was not us. */
  readonly peer?: string;
  readonly outcomes: readonly Outcome[];
  /** Most memory of the process that read them all, one after the other. */
  readonly peakMb: number;
}

const everything = new Set<PieceKind>(['running', 'note', 'margin', 'hidden', 'equation']);
/** What formats that keep no structure have of those that do. */
const printed = new Set<PieceKind>(['running', 'note']);
const markup: ReadonlySet<string> = new Set(['hwp', 'hwpx']);
const twinFormats: ReadonlySet<string> = new Set(['hwp', 'hwpx', 'docx', 'odt', 'pdf']);

interface Reading {
  readonly one: Case;
  readonly first: ReadingReply;
  readonly timed: ReadingReply | null;
  readonly facts: Facts | null;
  readonly warnings: readonly string[];
}

/** Reads all documents of a format in one process: each once, each a few times with the clock, each for its facts. */
async function readAll(cases: readonly Case[], ocr: boolean): Promise<{ readings: Reading[]; peakMb: number }> {
  const reader = createReaderProcess();
  try {
    const ask = async ({ path, name }: Case, task: 'first' | 'timed' | 'facts') =>
      reader.ask({ path, name, task, ocr });
    const firsts = [];
    for (const one of cases) firsts.push(await ask(one, 'first'));
    const timings = [];
    for (const [at, one] of cases.entries()) timings.push(firsts[at]?.refusal ? null : await ask(one, 'timed'));
    const peakMb = Math.max(0, ...[...firsts, ...timings].map((answer) => answer?.peakMb ?? 0));
    const readings = [];
    for (const [at, one] of cases.entries()) {
      const first = firsts[at] ?? { peakMb: 0 };
      const answer = first.refusal ? null : await ask(one, 'facts');
      readings.push({
        one,
        first,
        timed: timings[at] ?? null,
        facts: answer?.facts ?? null,
        warnings: answer?.warnings ?? [],
      });
    }
    return { readings, peakMb };
  } finally {
    reader.stop();
  }
}

function compare(format: string, truthFormat: string, truth: Facts, found: Facts) {
  const kinds = !twinFormats.has(truthFormat) || (markup.has(truthFormat) && markup.has(format)) ? everything : printed;
  const text = {
    recall: textRecall(truth, found, kinds, { unmerged: truthFormat === 'markdown' }),
    order: textOrder(truth, found),
    sequence: sentenceOrder(truth, found),
  };
  // What is printed says nothing certain of tables and headings, and of blanks what our reader makes of it.
  if (truthFormat === 'pdf') return { ...text, cells: null, headings: null, paragraphs: null, words: null };
  return {
    ...text,
    cells: tableCells(truth, found),
    headings: headings(truth, found),
    paragraphs: paragraphs(truth, found),
    words: words(truth, found),
  };
}

/** Facts of a document that is not among those that are measured. */
async function factsAt(path: string): Promise<Facts | null> {
  const reader = createReaderProcess();
  try {
    return (await reader.ask({ path, name: path, task: 'facts', ocr: false })).facts ?? null;
  } finally {
    reader.stop();
  }
}

const nothing = {
  recall: null,
  order: null,
  sequence: null,
  cells: null,
  headings: null,
  paragraphs: null,
  words: null,
};

/** What the peers made of documents of a format, in the order of their names; one that read none of the format is left out. */
async function measurePeers(
  format: string,
  readings: readonly Reading[],
  { peersOf, truthOf }: { peersOf: (one: Case) => PeerFiles; truthOf: (one: Case) => Promise<[string, Facts | null]> },
): Promise<FormatOutcome[]> {
  const files = readings.map(({ one }) => peersOf(one));
  const peers = [...new Set(files.flatMap((of) => [...of.keys()]))].toSorted();
  const measured: FormatOutcome[] = [];
  for (const peer of peers) {
    const outcomes: Outcome[] = [];
    for (const [at, { one }] of readings.entries()) {
      const path = files[at]?.get(peer);
      const refusal = path === undefined ? { code: 'NO_MARKDOWN', message: `${peer} made nothing of it.` } : null;
      const found = path === undefined ? null : await factsOfPeer(path);
      const [truthFormat, truth] = await truthOf(one);
      outcomes.push({
        name: one.name,
        format,
        refusal,
        pages: 0,
        wallMs: 0,
        cpuMs: 0,
        warnings: [],
        agreements: [],
        ...(truth === null || found === null ? nothing : compare(format, truthFormat, truth, found)),
      });
    }
    measured.push({ format, peer, outcomes, peakMb: 0 });
  }
  return measured;
}

async function agreementsOf(files: PeerFiles, ours: Facts | null): Promise<Agreement[]> {
  const agreements: Agreement[] = [];
  if (ours !== null)
    for (const [peer, path] of files) agreements.push(agreementOf(peer, ours, await factsOfPeer(path)));
  return agreements;
}

/** Reads documents and compares them with their truths, format by format; behind each format what the peers made of it. */
export async function measure(
  cases: readonly Case[],
  {
    ocr,
    onFormat,
    peersOf = () => new Map(),
  }: {
    readonly ocr: boolean;
    readonly onFormat: (format: string) => void;
    readonly peersOf?: (one: Case) => PeerFiles;
  },
): Promise<FormatOutcome[]> {
  const formats = [...new Set(cases.map(({ format }) => format))];
  const read = new Map<string, { readings: Reading[]; peakMb: number }>();
  for (const format of formats) {
    onFormat(format);
    read.set(
      format,
      await readAll(
        cases.filter((one) => one.format === format),
        ocr,
      ),
    );
  }
  const factsByPath = new Map<string, Facts | null>(
    [...read.values()].flatMap(({ readings }) => readings.map(({ one, facts }) => [one.path, facts] as const)),
  );
  const truthOf = async ({ truth }: Case): Promise<[string, Facts | null]> => {
    if (truth === null) return ['', null];
    if (truth.kind !== 'twin') return [truth.kind, await factsOfTruth(truth)];
    if (!factsByPath.has(truth.path)) factsByPath.set(truth.path, await factsAt(truth.path));
    return [truth.format, factsByPath.get(truth.path) ?? null];
  };
  const outcomes: FormatOutcome[] = [];
  for (const [format, { readings, peakMb }] of read) {
    const ofFormat = [];
    for (const { one, first, timed, facts, warnings } of readings) {
      const [truthFormat, truth] = await truthOf(one);
      ofFormat.push({
        name: one.name,
        format,
        refusal: first.refusal ?? timed?.refusal ?? null,
        pages: first.pages ?? 0,
        wallMs: timed?.wallMs ?? 0,
        cpuMs: timed?.cpuMs ?? 0,
        warnings,
        agreements: await agreementsOf(peersOf(one), facts),
        ...(truth === null || facts === null ? nothing : compare(format, truthFormat, truth, facts)),
      });
    }
    outcomes.push({ format, peakMb, outcomes: ofFormat });
    outcomes.push(...(await measurePeers(format, readings, { peersOf, truthOf })));
  }
  return outcomes;
}
