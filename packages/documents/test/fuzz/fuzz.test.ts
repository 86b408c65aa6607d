import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCEPTED } from '../../../../console/src/parts/document-files.ts';
import { times } from '../../../../server/test/support/long.ts';
import { documentFormats } from '../../src/document.ts';
import { sniffFormat } from '../../src/sniff.ts';
import { fuzz } from './index.ts';
import { insideOf } from './inside.ts';
import { outcomeOf } from './outcome.ts';
import { ownSeeds } from './seeds.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ai-studio-fuzz-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const seeds = ownSeeds();

test('there is a file of every format, and the console offers to choose it', () => {
  // Pictures have tests of their own, in hostile/images.test.ts.
  const formats = documentFormats.filter((format) => format !== 'image');
  expect(new Set(seeds.map(({ name, bytes }) => sniffFormat(bytes, name)))).toEqual(new Set(formats));
  const offered = ACCEPTED.split(',');
  for (const { name } of seeds) expect(offered).toContain(name.slice(name.lastIndexOf('.')));
});

test.each(seeds.map(({ name, bytes }, at) => ({ at, name, bytes })))(
  'file $at ($name) is read whole, also once it was taken apart',
  async ({ name, bytes }) => {
    const inside = await insideOf(bytes);
    for (const file of [bytes, inside.withParts(inside.parts)])
      expect(await outcomeOf(file, name)).toMatchObject({ kind: 'read', blocks: expect.any(Number) });
  },
);

// The same files every time: a longer run by `run.ts` looks for others.
test('no damage breaks a reader', async () => {
  const { cases, read, found } = await fuzz({
    seeds,
    seed: 20_261_121,
    cases: times(200, 800),
    seconds: 15,
    timeoutMs: 40_000,
    memoryBytes: 1536 * 1024 * 1024,
    folder,
  });
  expect(found).toEqual([]);
  expect(read).toBeGreaterThan(cases / 10);
});
