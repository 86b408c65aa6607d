// The page that says what mutations came to: a line for each run, and those that survived, with the reasons that people wrote there.

const RUNS = /(## What it came to\n[^]*?\n\| ?---[^\n]*\n)/;
const SURVIVORS = /(## Survivors\n[^]*?\n\| ?---[^\n]*\n)(?:\|[^\n]*\n)*/;
const CELLS = /(?<!\\)\|/;

const escaped = (text) => text.replaceAll('|', String.raw`\|`);
const code = (text) => escaped(text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
const row = (cells) => `| ${cells.join(' | ')} |\n`;

/** The survivors that stand on a page: path, change as it stands there, how they were tried, and the reason, which may be empty. */
export function readSurvivors(page) {
  const table = SURVIVORS.exec(page);
  if (!table) throw new Error('The page has no table of survivors');
  return table[0]
    .slice(table[1].length)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, place = '', change = '', tests = '', reason = ''] = line.split(CELLS).map((cell) => cell.trim());
      return { path: place.replace(/:\d+$/, ''), change, tests, reason };
    });
}

/**
 * The page after a run. `survived` and `known` (all mutations that there are) are of `mutationsOf`; survivors also say in `tests` how they were tried.
 * A reason stays as long as its mutation survives, or is there and was not tried.
 */
export function writePage(page, { cells, survived, tried, known }) {
  const nameOf = ({ path, change }) => JSON.stringify([path, code(change)]);
  const reasons = new Map();
  for (const { path, change, reason } of readSurvivors(page)) {
    const name = JSON.stringify([path, change]);
    reasons.set(name, [...(reasons.get(name) ?? []), reason]);
  }
  const triedNames = new Set(tried.map(nameOf));
  const takeReason = (mutation) => reasons.get(nameOf(mutation))?.shift() ?? '';
  const rowOf = (mutation, tests, reason) => [
    `${mutation.path}:${mutation.line}`,
    code(mutation.change),
    tests,
    reason,
  ];
  const rows = survived.map((mutation) => rowOf(mutation, mutation.tests, takeReason(mutation)));
  for (const mutation of known) {
    if (triedNames.has(nameOf(mutation)) || !reasons.get(nameOf(mutation))?.length) continue;
    const reason = takeReason(mutation);
    if (reason !== '') rows.push(rowOf(mutation, 'an earlier run', reason));
  }
  const table = rows.toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).map(row);
  return page.replace(RUNS, (head) => head + row(cells)).replace(SURVIVORS, (_all, head) => head + table.join(''));
}
