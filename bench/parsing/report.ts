import type { FormatOutcome, Outcome } from './measure.ts';
import { EXACT, reportFigure } from '../figures.ts';
import { type Hits, f1 } from './metrics.ts';

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const known = (values: readonly (number | null)[]) => values.filter((value) => value !== null);
const mean = (values: readonly number[]) => (values.length === 0 ? null : sum(values) / values.length);
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
const ratio = (value: number | null) => (value === null ? '–' : value.toFixed(3));
const whole = (value: number | null) => (value === null ? '–' : value >= 100 ? value.toFixed(0) : value.toFixed(1));

/** F1 over all documents together, so that each cell or heading counts the same. */
function together(hits: readonly (Hits | null)[]): number | null {
  const all = known(hits.map((hit) => hit?.wanted ?? null)).length > 0 ? hits.filter((hit) => hit !== null) : [];
  return f1({
    right: sum(all.map(({ right }) => right)),
    wanted: sum(all.map(({ wanted }) => wanted)),
    found: sum(all.map(({ found }) => found)),
  });
}

/** Share of what was wanted, over all documents together. */
function share(hits: readonly (Hits | null)[]): number | null {
  const wanted = sum(hits.map((hit) => hit?.wanted ?? 0));
  return wanted === 0 ? null : sum(hits.map((hit) => hit?.right ?? 0)) / wanted;
}

/** Lines of columns that stand below each other; the first is the head. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) => row.map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))))
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
}

const head = [
  'Format',
  'Documents',
  'Refused',
  'With truth',
  'Recall',
  'Least',
  'Order',
  'Least',
  'Sentences',
  'Cells F1',
  'Headings F1',
  'Paragraphs',
  'Words F1',
  'ms (median)',
  'Documents/s',
  'Pages/s',
  'Peak MB',
];

/** How well the documents of a format were read; null for what has no truth. */
function qualityOf({ outcomes }: FormatOutcome) {
  const read = outcomes.filter(({ refusal }) => refusal === null);
  const recalls = known(read.map(({ recall }) => recall));
  const orders = known(read.map(({ order }) => order));
  return {
    read,
    recalls,
    orders,
    sequences: known(read.map(({ sequence }) => sequence)),
    cells: together(read.map(({ cells }) => cells)),
    headings: together(read.map(({ headings }) => headings)),
    paragraphs: share(read.map(({ paragraphs }) => paragraphs)),
    words: together(read.map(({ words }) => words)),
  };
}

/** A line for a format, or for what a peer read of it, which has no times. */
function row(format: FormatOutcome): string[] {
  const { peer, outcomes, peakMb } = format;
  const { read, recalls, orders, sequences, cells, headings, paragraphs, words } = qualityOf(format);
  const seconds = sum(read.map(({ cpuMs }) => cpuMs)) / 1000;
  const quality = [
    String(outcomes.length),
    String(outcomes.length - read.length),
    String(recalls.length),
    ratio(mean(recalls)),
    ratio(recalls.length === 0 ? null : Math.min(...recalls)),
    ratio(mean(orders)),
    ratio(orders.length === 0 ? null : Math.min(...orders)),
    ratio(mean(sequences)),
    ratio(cells),
    ratio(headings),
    ratio(paragraphs),
    ratio(words),
  ];
  if (peer !== undefined) return [`  ${peer}`, ...quality];
  return [
    format.format,
    ...quality,
    whole(median(read.map(({ wallMs }) => wallMs))),
    whole(read.length === 0 ? null : read.length / seconds),
    whole(read.length === 0 ? null : sum(read.map(({ pages }) => pages)) / seconds),
    whole(peakMb),
  ];
}

/** The measures of quality of each format, to be compared with those of another day. */
export function reportFigures(formats: readonly FormatOutcome[]): void {
  for (const format of formats) {
    const { read, recalls, orders, sequences, cells, headings, paragraphs, words } = qualityOf(format);
    const values = {
      'share that was read': read.length / format.outcomes.length,
      recall: mean(recalls),
      order: mean(orders),
      'sentences one after the other': mean(sequences),
      'F1 of cells': cells,
      'F1 of headings': headings,
      'paragraphs that are the same': paragraphs,
      'F1 of words': words,
    };
    for (const [what, value] of Object.entries(values))
      if (value !== null)
        reportFigure({ name: `parsing: ${format.format}, ${what}`, value, better: 'higher', tolerance: EXACT });
  }
}

/** A line for each format and peer: how much of the text of either the other has, over the documents that both read. */
function agreementLines(formats: readonly FormatOutcome[]): string[][] {
  const ours = formats.filter(({ peer }) => peer === undefined);
  return ours.flatMap(({ format, outcomes }) => {
    const all = outcomes.flatMap(({ agreements }) => agreements);
    const peers = [...new Set(all.map(({ peer }) => peer))].toSorted();
    return peers.map((peer) => {
      const of = all.filter((one) => one.peer === peer);
      const shares = [known(of.map(({ ofPeer }) => ofPeer)), known(of.map(({ ofOurs }) => ofOurs))];
      const figures = shares.flatMap((values) => [
        ratio(mean(values)),
        ratio(values.length === 0 ? null : Math.min(...values)),
      ]);
      return [format, peer, String(of.length), ...figures];
    });
  });
}

const counted = (hits: Hits | null) =>
  hits === null ? '–' : `${ratio(f1(hits))} (${hits.right}/${hits.wanted}/${hits.found})`;

/** One line a document: what was right, wanted and found stands behind each F1. */
const fileLine = (one: Outcome): string[] => [
  one.name,
  ratio(one.recall),
  ratio(one.order),
  ratio(one.sequence),
  counted(one.cells),
  counted(one.headings),
  one.paragraphs === null || one.paragraphs.wanted === 0 ? '–' : ratio(one.paragraphs.right / one.paragraphs.wanted),
  counted(one.words),
  String(one.pages),
  whole(one.wallMs),
  one.warnings.join(' '),
];

/** The report of one folder: a line a format, then refusals; with `files` a line a document too. */
export function reportOf(title: string, formats: readonly FormatOutcome[], { files }: { files: boolean }): string {
  const outcomes = formats.filter(({ peer }) => peer === undefined).flatMap((format) => format.outcomes);
  const agreements = agreementLines(formats);
  const parts = [title, aligned([head, ...formats.map(row)])];
  if (agreements.length > 0)
    parts.push(
      aligned([
        ['Both read', 'Peer', 'Documents', 'Of its text ours', 'Least', 'Of our text its', 'Least'],
        ...agreements,
      ]),
    );
  if (files) {
    const lines = outcomes.filter(({ refusal }) => refusal === null).map(fileLine);
    parts.push(
      aligned([
        [
          'Document',
          'Recall',
          'Order',
          'Sentences',
          'Cells F1',
          'Headings F1',
          'Paragraphs',
          'Words F1',
          'Pages',
          'ms',
          'Warnings',
        ],
        ...lines,
      ]),
    );
  }
  const refused = outcomes.filter(({ refusal }) => refusal !== null);
  if (refused.length > 0)
    parts.push(
      ['Refused:', ...refused.map(({ name, refusal }) => `  ${name}: ${refusal?.code} ${refusal?.message}`)].join('\n'),
    );
  return parts.join('\n\n');
}
