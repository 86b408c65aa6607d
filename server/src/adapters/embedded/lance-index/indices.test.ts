import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LanceEngine, openEngine } from './engine.ts';
import { trainVectors } from './indices.ts';

/** As many as are sorted into parts. */
const ROWS = 5_000;

let folder: string;
let engine: LanceEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ai-studio-indices-'));
  engine = await openEngine({ uri: folder }, 16);
});
afterAll(async () => {
  engine.connection.close();
  await rm(folder, { recursive: true, force: true });
});

/** A table of vectors; what trains it, and the ids of the nearest to one of them. */
async function tableOf(name: string, dimension: number, vectorOf: (row: number) => readonly number[]) {
  const rows = Array.from({ length: ROWS }, (_, row) => ({ row, vector: [...vectorOf(row)] }));
  const handle = await engine.connection.createTable(name, rows);
  return {
    train: async () => trainVectors(engine.lance, { handle, dimension }, await handle.listIndices(), ROWS),
    names: async () => (await handle.listIndices()).map((index) => index.name),
    async nearest(vector: readonly number[]) {
      const hits = await handle
        .query()
        .nearestTo([...vector])
        .distanceType('cosine')
        .limit(1)
        .refineFactor(300)
        .toArray();
      return hits.map(({ row }: { row: number }) => row);
    },
  };
}

/** Vectors that all point elsewhere. */
const turned = (dimension: number) => (row: number) =>
  Array.from({ length: dimension }, (_, at) => Math.cos((row + 1) * (at + 1)));

test.each([16, 12])('vectors of %i numbers are sorted into parts, and found in them', async (dimension) => {
  const vectorOf = turned(dimension);
  const table = await tableOf(`turned-${dimension}`, dimension, vectorOf);
  expect(await table.train()).toBe(true);
  expect(await table.names()).toEqual([`vector_${ROWS}`]);
  expect(await table.nearest(vectorOf(17))).toEqual([17]);
  expect(await table.train()).toBe(false);
});

test('vectors of zeros alone are left unsorted, and searched as before', async () => {
  const table = await tableOf('zeros', 8, () => [0, 0, 0, 0, 0, 0, 0, 0]);
  expect(await table.train()).toBe(false);
  expect(await table.names()).toEqual([]);
  expect(await table.nearest([1, 0, 0, 0, 0, 0, 0, 0])).toHaveLength(0);
});
