/**
 * Reads documents of every format and says how much of each was read, in which order, how well its tables and headings
 * were seen, how fast and with how much memory. See docs/reference/parsing-quality.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Case, casesOf } from './cases.ts';
import { corpusCases } from './corpus/index.ts';
import { type FormatOutcome, measure } from './measure.ts';
import { type PeerFiles, peerFilesOf } from './peers.ts';
import { reportFigures, reportOf } from './report.ts';

const usage = `Usage: node bench/parsing/run.ts [options]

  --folder path   documents of your own, with truths beside them; may be given several times
  --peers folder  what other programs made of the documents of the folders: <file>.<peer>.md
  --only a,b      formats, such as pdf,hwp (all)
  --files         a line for each document
  --ocr           pictures of text are recognised too (slow)
  --json file     write every figure to a file
`;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    peers: { type: 'string' },
    only: { type: 'string' },
    files: { type: 'boolean', default: false },
    ocr: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (flags.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const only = flags.only?.split(',') ?? null;
const wanted = (format: string) => only === null || only.includes(format);

say(`Node ${process.versions.node}, ${cpus()[0]?.model ?? 'a processor'}`);
const results: Record<string, unknown> = {};

const noPeers: PeerFiles = new Map();
const ofPeers = (one: Case): PeerFiles =>
  flags.peers === undefined ? noPeers : peerFilesOf(resolve(flags.peers), one);

async function run(title: string, all: readonly Case[], peersOf = ofPeers): Promise<FormatOutcome[]> {
  const cases = all.filter(({ format }) => wanted(format));
  const outcomes = await measure(cases, {
    ocr: flags.ocr,
    peersOf,
    onFormat: (format) => void process.stderr.write(`${title}: ${format}\n`),
  });
  results[title] = outcomes;
  say(`\n${reportOf(title, outcomes, flags)}`);
  return outcomes;
}

const corpus = mkdtempSync(join(tmpdir(), 'studio-bench-parsing-'));
try {
  reportFigures(await run('Documents of the bench', corpusCases(corpus), () => noPeers));
  for (const folder of flags.folder) await run(folder, casesOf(resolve(folder)));
} finally {
  rmSync(corpus, { recursive: true });
}
if (flags.json !== undefined) writeFileSync(flags.json, JSON.stringify(results, null, 1));
