import { forEachConcurrently } from '../../api/for-each-concurrently.ts';
import { saveFile } from '../../parts/save-text.ts';
import { exportBytes, type TalkFormat } from './talk-calls.ts';
import { type Talk, talkKey } from './talks.ts';

/** Longer names are cut: systems take 255 bytes, of which a syllable needs three. */
const MAX_NAME = 60;

/** A name for the file of each title, none twice, of signs that every system takes. */
export function fileNames(titles: readonly string[], ending: string): string[] {
  const taken = new Set<string>();
  return titles.map((title) => {
    const plain = title
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u001f\u007f\\/:*?"<>|\s]+/g, ' ')
      .trim()
      .slice(0, MAX_NAME)
      .trim();
    const nameOf = (count: number) => `${plain}${count === 1 ? '' : ` (${count})`}.${ending}`;
    let count = 1;
    // Some systems do not tell large letters from small ones.
    while (taken.has(nameOf(count).toLowerCase())) count += 1;
    taken.add(nameOf(count).toLowerCase());
    return nameOf(count);
  });
}

interface Wanted {
  readonly talks: readonly Talk[];
  readonly format: TalkFormat;
  readonly language: string;
  /** Of a conversation that has no title. */
  readonly untitled: string;
  /** Of the file that holds them, without its ending. */
  readonly name: string;
}

/** Saves conversations and talks with agents as files of one ZIP. Rejects where one of them cannot be fetched; then nothing is saved. */
export async function exportSeveral({ talks, format, language, untitled, name }: Wanted): Promise<void> {
  const { zipSync } = await import('fflate');
  const names = fileNames(
    talks.map(({ title }) => title || untitled),
    format,
  );
  const files = new Map<string, Uint8Array>();
  await forEachConcurrently([...talks.entries()], async ([at, talk]) => {
    files.set(names[at] ?? talkKey(talk), await exportBytes(talk, format, language));
  });
  const zip = zipSync(Object.fromEntries(names.map((one) => [one, files.get(one) ?? new Uint8Array()])));
  saveFile(`${name}.zip`, new Blob([new Uint8Array(zip)], { type: 'application/zip' }));
}
