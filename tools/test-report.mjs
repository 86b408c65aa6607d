// Reads the JSON report of a vitest run.
import { readFileSync } from 'node:fs';

/** Stands for a file that could not be loaded or set up, which is one failure. */
const WHOLE_FILE = '(the file could not be loaded or set up)';

/**
 * By the path of each file: how many tests passed, the names of those that failed, and how many seconds it took. A report that is not there or cannot
 * be read has no files.
 */
export function readReport(path) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return new Map();
  }
  return new Map(
    report.testResults.map(({ name, status, assertionResults, startTime, endTime }) => {
      const named = (wanted) => assertionResults.filter((one) => one.status === wanted).map((one) => one.fullName);
      const failed = named('failed');
      if (status === 'failed' && failed.length === 0) failed.push(WHOLE_FILE);
      const seconds = Math.max(0, Math.round((endTime - startTime) / 100) / 10) || 0;
      return [name, { passed: named('passed').length, failed, seconds }];
    }),
  );
}

/** Numbers of all files together. */
export function countTests(files) {
  const all = [...files.values()];
  const sum = (of) => all.reduce((total, file) => total + of(file), 0);
  return { passed: sum((file) => file.passed), failed: sum((file) => file.failed.length) };
}

/** Tests that failed in the first run of a file and passed in the second, as `file > test`. */
export function flakyTests(first, second) {
  return [...second].flatMap(([path, { failed }]) =>
    (first.get(path)?.failed ?? []).filter((name) => !failed.includes(name)).map((name) => `${path} > ${name}`),
  );
}

/** The files that took longest, as `[path, seconds]`. */
export const slowest = (files, count) =>
  [...files]
    .map(([path, { seconds }]) => [path, seconds])
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count);
