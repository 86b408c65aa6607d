// Reads damaged documents and tells of those that broke a reader:
//   node packages/documents/test/fuzz/run.ts [FOLDER] [--format=hwp] [--cases=2000] [--seconds=60] [--seed=N] [--slow=MS]
//     [--first=N: the case to begin with; the file of the last one stays in the folder that is named]
// FOLDER holds real files (none is changed); without one the project's own are damaged.
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from './index.ts';
import { type Seed, ownSeeds } from './seeds.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    format: { type: 'string' },
    cases: { type: 'string', default: '2000' },
    first: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    slow: { type: 'string', default: '2000' },
    largest: { type: 'string', default: '400000' },
  },
});

const endings = new Set(
  '.pdf .docx .doc .ppt .hwp .hwpx .xlsx .xls .pptx .odt .ods .odp .epub .eml .msg .html .htm .md .csv .txt'.split(' '),
);

function seedsIn(folder: string): Seed[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.has(extname(entry.name).toLowerCase()))
    .map((entry) => ({
      name: basename(entry.name),
      bytes: readFileSync(join(entry.parentPath, entry.name)),
    }))
    .filter(({ bytes }) => bytes.length <= Number(values.largest));
}

const [given] = positionals;
const seeds = (given === undefined ? ownSeeds() : seedsIn(given)).filter(
  ({ name }) => values.format === undefined || name.endsWith(`.${values.format}`),
);
const folder = mkdtempSync(join(tmpdir(), 'ai-studio-fuzz-'));
const say = (line: string) => process.stdout.write(`${line}\n`);
say(`seed ${values.seed}, ${seeds.length} files to damage, findings in ${folder}`);
const report = await fuzz({
  seeds,
  seed: Number(values.seed),
  cases: Number(values.cases),
  first: Number(values.first),
  seconds: Number(values.seconds),
  timeoutMs: 20_000,
  memoryBytes: 1024 * 1024 * 1024,
  folder,
  onCase: (number, { outcome, ms }, name) => {
    if (outcome.kind === 'broken') say(`${number} ${name}: ${outcome.why.split('\n').slice(0, 4).join('\n')}`);
    else if (ms > Number(values.slow)) say(`${number} ${name}: ${Math.round(ms)} ms`);
  },
});
writeFileSync(join(folder, 'report.json'), JSON.stringify(report, null, 2));
say(
  `${report.cases} cases: ${report.read} read, ${report.refused} refused, ${report.found.length} broken; the slowest took ${Math.round(report.slowestMs)} ms`,
);
process.exitCode = report.found.length === 0 ? 0 : 1;
