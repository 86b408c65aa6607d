import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silent } from '../../test/support/postgres.ts';
import type { LocalModel } from '../models/local.ts';
import { keepModels } from './keep-models.ts';
import { createFollowPins, writePin } from './pins.ts';

const models = (...ids: readonly string[]) => ids.map((id) => ({ id }) as LocalModel);

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ai-studio-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('those of the configuration and of people are pinned once they are here, and let go when nobody wants them any more', async () => {
  const asked: string[] = [];
  const follow = createFollowPins({ folder, pinned: ['own'], pin: (id, on) => asked.push(`${on ? '+' : '-'}${id}`) });
  await writePin(folder, 'a', true);
  expect(await follow(models('own', 'a', 'b'))).toBe(true);
  expect(asked.splice(0)).toEqual(['+own', '+a']);
  expect(await follow(models('own', 'a', 'b'))).toBe(false);
  await writePin(folder, 'a', false);
  await writePin(folder, 'absent', true);
  expect(await follow(models('own', 'a', 'b'))).toBe(true);
  expect(asked.splice(0)).toEqual(['-a', '+own']);
  expect(await follow(models('absent'))).toBe(true);
  expect(asked).toEqual(['+absent']);
});

test('the folder is scanned again and again, also after a scan that failed, until it is ended', async () => {
  const seen: string[] = [];
  const errors: unknown[] = [];
  let broken = false;
  vi.useFakeTimers();
  try {
    const stop = await keepModels({
      folder,
      pinned: ['a'],
      pin: (id) => seen.push(`pin ${id}`),
      store: {
        scan: () => (broken ? Promise.reject(new Error('unreadable')) : Promise.resolve([])),
        tidy: () => Promise.resolve(void seen.push('tidy')),
        changed: () => seen.push('changed'),
      },
      describe: () => Promise.resolve(seen.push('describe')),
      scanSpeechModels: () => Promise.resolve(void seen.push('speech')),
      models: () => models('a'),
      show: () => seen.push('show'),
      log: { ...silent, error: (fields) => errors.push(fields) },
    });
    expect(seen.splice(0)).toEqual(['describe', 'speech', 'show', 'pin a', 'changed', 'tidy']);
    broken = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(errors).toHaveLength(1);
    expect(seen).toEqual([]);
    broken = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.splice(0)).toEqual(['describe', 'speech', 'show']);
    stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('a first scan that fails is told to whoever starts the service', async () => {
  const fails = () => Promise.reject(new Error('unreadable'));
  const store = { scan: fails, tidy: fails, changed: () => undefined };
  const none = { describe: fails, scanSpeechModels: fails, models: () => [], show: () => undefined };
  const keeping = keepModels({ folder, pinned: [], pin: () => undefined, store, ...none, log: silent });
  await expect(keeping).rejects.toThrow('unreadable');
});
