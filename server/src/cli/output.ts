/** Where a command writes; a test gives its own. */
export interface Output {
  /** Writes a line of the result. */
  readonly print: (line: string) => void;
  /** Writes progress or a warning. */
  readonly note: (line: string) => void;
}

export const processOutput: Output = {
  print: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
};

/** Whether a line is wide in a terminal: Hangul, Kana, Han and full-width forms take two cells. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

const displayWidth = (text: string) =>
  Array.from(text).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);

/** Formats rows with aligned cells. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell))));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat((widths[i] ?? 0) - displayWidth(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
