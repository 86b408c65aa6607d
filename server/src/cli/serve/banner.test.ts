import { expect, test } from 'vitest';
import type { Catalogue, CatalogueModel } from '../../models/catalogue.ts';
import { type StartupInfo, banner } from './banner.ts';

const model = (id: string, kind: CatalogueModel['kind'], engine: string) =>
  ({ id, kind, engines: [{ engine }] }) as unknown as CatalogueModel;
const chatModel = model('LLM42', 'chat', 'builtin');

const started = (models: readonly CatalogueModel[], first = true): StartupInfo => ({
  version: '1.0.0',
  address: 'http://127.0.0.1:8080',
  workers: 1,
  setupUrl: null,
  database: 'embedded',
  dataDir: '/data',
  configFile: null,
  catalogue: { list: () => models, defaultModel: 'LLM42' } as unknown as Catalogue,
  key: 'aist_x',
  first,
  found: [],
  milliseconds: 1_000,
});

test.each(['en', 'ko'] as const)('a first start says in one line how to get a Korean voice (%s)', (locale) => {
  const lineOf = (...models: readonly CatalogueModel[]) =>
    banner(started([chatModel, ...models]), locale)
      .split('\n')
      .filter((line) => line.includes('npm run studio -- speech pull supertonic-3'));
  expect(lineOf()).toHaveLength(1);
  // The program that reads texts out is no voice that anybody would choose.
  expect(lineOf(model('espeak-ng', 'speech', 'speech'))).toHaveLength(1);
  expect(lineOf(model('supertonic-3', 'speech', 'speech'))).toEqual([]);
  expect(banner(started([chatModel], false), locale)).not.toContain('supertonic');
});
