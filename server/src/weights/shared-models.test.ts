import { expect, test } from 'vitest';
import type { ConnectedServer } from '../model-servers/index.ts';
import { createCatalogue, createLiveCatalogue } from '../models/catalogue.ts';
import { receiveModels, sharedModels } from './shared-models.ts';

test('another process has the models and the servers of the one that keeps them, the engines first and its listeners last', () => {
  const seen: string[] = [];
  const server = { name: 'gpu' } as ConnectedServer;
  const keeper = createLiveCatalogue(createCatalogue({ models: {} }));
  const catalogue = createLiveCatalogue(createCatalogue({ models: {} }));
  catalogue.onChange(() => seen.push('catalogue'));
  const { servers, take } = receiveModels(catalogue, (list) => {
    seen.push(`open ${list.map(({ name }) => name).join()}`);
    return () => void seen.push('close others');
  });
  const stop = servers.onChange(() => seen.push(`told of ${servers.list().length}`));
  keeper.replace([...keeper.all().slice(0, 1), { ...keeper.all()[1]!, unusable: true }]);
  take(structuredClone(sharedModels(keeper, { list: () => [server] })));
  expect(seen).toEqual(['open gpu', 'catalogue', 'close others', 'told of 1']);
  expect(catalogue.all()).toEqual(keeper.all());
  expect(catalogue.list()).toHaveLength(1);
  stop();
  take({ models: [], servers: [] });
  expect(seen.at(-1)).toBe('close others');
});
