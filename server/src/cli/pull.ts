import { readModelMachine } from '../compose/model-files.ts';
import {
  type CatalogueWeights,
  type ModelMachine,
  type PullProgress,
  recommendAll,
  unverifiedText,
} from '../weights/index.ts';
import { extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import { formatTable } from './output.ts';
import { createProgressWriter } from './progress.ts';
import { amountText, openStoreReadOnly } from './local-models.ts';

type Context = Parameters<Command>[0];

const GB = 1_000_000_000;

/** `studio models search [TEXT]`. */
export async function searchModels({ line, out, load }: Context, words: readonly string[]): Promise<number> {
  const { own, rest } = extractFlags(line, ['json']);
  const store = openStoreReadOnly(load(rest));
  const found = store.search(words.join(' '));
  const states = new Map((await store.list()).map(({ id, state }) => [id, state]));
  const rows = found.map((entry) => ({ ...entry, state: states.get(entry.id) ?? 'absent' }));
  if (own.json) out.print(JSON.stringify(rows, null, 2));
  else if (rows.length === 0)
    out.print(
      `Nothing has the words "${words.join(' ')}". Any GGUF file of the hub can be named as OWNER/REPOSITORY/FILE.gguf.`,
    );
  else {
    const shown = rows.map(({ id, kind, bytes, memoryBytes, licence, state, title, about }) => [
      id,
      kind,
      `${(bytes / GB).toFixed(1)} GB`,
      `${(memoryBytes / GB).toFixed(1)} GB`,
      licence,
      ['ready', 'loading', 'loaded'].includes(state) ? 'here' : state === 'absent' ? '' : state,
      `${title}: ${about.en}`,
    ]);
    out.print(formatTable([['MODEL', 'KIND', 'SIZE', 'MEMORY', 'LICENCE', '', ''], ...shown]));
    for (const { id, converter } of rows)
      if (converter !== null) out.print(`  ${id}: converted by ${converter}, not by the maker`);
    for (const { id, unverified } of rows)
      if (unverified.length > 0)
        out.print(
          `! ${id}: not verified (${unverifiedText({ unverified })}); "studio models pull ${id} --unverified" takes it`,
        );
    for (const { id, licenceNote } of rows) if (licenceNote !== null) out.print(`! ${id}: ${licenceNote.en}`);
    out.print('\n"studio models recommend" says what fits this machine. Download one with "studio models pull MODEL".');
  }
  return 0;
}

/** `qwen3.gguf  312 of 640 MB  48 %  21.4 MB/s  16 s left`. */
const progressLine = (progress: PullProgress): string => `${progress.file}  ${amountText(progress)}`;

const LANGUAGES = ['en', 'ko'] as const;
const fitTexts = {
  en: { good: 'suits this machine', slow: 'fits, but is slow', no: 'does not fit' },
  ko: { good: '이 컴퓨터에 맞습니다', slow: '들어가지만 느립니다', no: '들어가지 않습니다' },
} as const;

/** What the machine has for models, in a line. */
function machineLine(
  { cores, memoryBudgetBytes, freeDiskBytes, gpu }: ModelMachine,
  language: (typeof LANGUAGES)[number],
): string {
  const memory = `${(memoryBudgetBytes / GB).toFixed(1)} GB`;
  const disk = freeDiskBytes === null ? null : `${(freeDiskBytes / GB).toFixed(1)} GB`;
  return language === 'ko'
    ? `코어 ${cores}개, 모델이 쓸 메모리 ${memory}, 디스크 ${disk === null ? '알 수 없음' : `${disk} 남음`}, GPU 빌드 ${gpu ? '있음' : '없음'}`
    : `${cores} cores, ${memory} of memory for models, disk ${disk === null ? 'unknown' : `${disk} free`}, ${gpu ? 'a GPU build' : 'no GPU build'}`;
}

/** `studio models recommend [TEXT] [--language en|ko]`: what fits this machine, and why. */
export async function recommendModels({ line, out, load }: Context, words: readonly string[]): Promise<number> {
  const { own, rest } = extractFlags(line, ['json', 'language']);
  const language = LANGUAGES.find((one) => one === (own.language ?? 'en'));
  if (language === undefined) throw new UsageError('--language is en or ko.');
  const loaded = load(rest);
  const machine = await readModelMachine(loaded.config);
  const all = recommendAll(openStoreReadOnly(loaded).search(words.join(' ')), machine);
  if (own.json) {
    const models = all.map(({ model, fit, reasons }) => ({ id: model.id, kind: model.kind, fit, reasons }));
    out.print(JSON.stringify({ machine, models }, null, 2));
    return 0;
  }
  out.print(machineLine(machine, language));
  for (const { model, fit, reasons } of all) {
    out.print(`\n${model.id} (${model.kind}): ${fitTexts[language][fit]}. ${model.about[language]}`);
    for (const reason of reasons) out.print(`  ${reason[language]}`);
  }
  return 0;
}

/** What whoever downloads a model is told of it: its licence, who made the file, and what nobody could look up. */
const notesOf = (entry: CatalogueWeights, confirmed: boolean): readonly string[] => [
  ...(entry.licenceNote === null ? [] : [entry.licenceNote.en]),
  ...(entry.converter === null ? [] : [`The file was converted by ${entry.converter}, not by the maker.`]),
  ...(entry.unverified.length === 0
    ? []
    : [
        `Its ${unverifiedText(entry)} could not be verified in public sources: ${confirmed ? `what ${entry.repository} gives is taken` : `"studio models pull ${entry.id} --unverified" takes what ${entry.repository} gives`}.`,
      ]),
];

/** `studio models pull ID`. Ctrl-C ends it; what came is kept. */
export async function pullModel({ line, out, load }: Context, [what, ...more]: readonly string[]): Promise<number> {
  if (what === undefined || more.length > 0)
    throw new UsageError('Use "studio models pull MODEL [--unverified]"; "studio models search" lists models.');
  const { own, rest } = extractFlags(line, ['json', 'unverified']);
  const store = openStoreReadOnly(load(rest));
  const stop = new AbortController();
  const onSignal = () =>
    stop.abort(new UsageError('The download was ended; what came is kept and continued the next time.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal);
  const writer = createProgressWriter(out);
  const entry = store.search('').find(({ id }) => id === what.toLowerCase());
  for (const note of entry === undefined ? [] : notesOf(entry, own.unverified !== undefined)) out.note(`! ${note}`);
  try {
    const { id, warning } = await store.pull(what, {
      signal: stop.signal,
      unverified: own.unverified !== undefined,
      onProgress: (progress) => writer.show(progressLine(progress), progress.message),
    });
    writer.end();
    if (warning !== null) out.note(`! ${warning}`);
    out.print(
      own.json
        ? JSON.stringify({ id, warning })
        : `${id} is here. A running service offers it at once; "studio models use CATALOGUE_ID ${id}" lets it serve a model of the catalogue.`,
    );
    return 0;
  } finally {
    writer.end();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}
