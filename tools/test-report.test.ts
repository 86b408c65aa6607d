import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { countTests, flakyTests, readReport } from './test-report.mjs';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Reads a report in which each test is given as its name and what became of it. */
async function read(files: Record<string, Record<string, string>>) {
  const path = join(folder, 'report.json');
  const testResults = Object.entries(files).map(([name, tests]) => ({
    name,
    status: Object.values(tests).every((one) => one === 'passed') ? 'passed' : 'failed',
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
  }));
  await writeFile(path, JSON.stringify({ testResults }));
  return readReport(path);
}

test('a file that could not be set up is one failure', async () => {
  const files = await read({ a: { x: 'passed', y: 'failed' }, b: { x: 'skipped' } });
  expect(countTests(files)).toEqual({ passed: 1, failed: 2 });
  expect(files.get('b').failed).toEqual([expect.stringContaining('set up')]);
});

test('what passes in a second run is named, what fails again is not', async () => {
  const first = await read({ a: { x: 'failed', y: 'failed', z: 'passed' }, b: { x: 'passed' } });
  const second = await read({ a: { x: 'passed', y: 'failed', z: 'passed' } });
  expect(flakyTests(first, second)).toEqual(['a > x']);
  expect(countTests(new Map([...first, ...second]))).toEqual({ passed: 3, failed: 1 });
});

test('no report has no tests', () => {
  expect(countTests(readReport(join(folder, 'none.json')))).toEqual({ passed: 0, failed: 0 });
});
