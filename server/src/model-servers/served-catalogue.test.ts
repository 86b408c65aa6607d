import { expect, test } from 'vitest';
import { createCatalogue } from '../models/catalogue.ts';
import type { ConnectedServer } from './record.ts';
import { bindingsThatCount, createServedCatalogue, reservedEngineNames } from './served-catalogue.ts';
import type { ConnectedServers } from './watch.ts';

const server = (boundAt: string, over: Partial<ConnectedServer> = {}): ConnectedServer => ({
  id: 'a',
  name: 'gpu',
  baseUrl: 'http://127.0.0.1:1/v1',
  hasApiKey: false,
  apiKey: null,
  problem: null,
  trouble: null,
  dialect: null,
  models: [{ remoteId: 'm', id: 'CORE-GOV', kind: 'chat', contextLength: null, boundAt }],
  version: 1,
  createdAt: boundAt,
  ...over,
});
const binding = (boundAt?: string) => ({
  catalogueId: 'CORE-GOV',
  localId: 'file',
  ...(boundAt === undefined ? {} : { boundAt }),
});
const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];

test('of a local model and a server for one id the later act counts', () => {
  expect(bindingsThatCount([binding(late)], [server(early)])).toHaveLength(1);
  expect(bindingsThatCount([binding(early)], [server(late)])).toEqual([]);
  expect(bindingsThatCount([binding(early)], [server(late, { problem: 'no key' })])).toHaveLength(1);
  expect(bindingsThatCount([binding()], [])).toHaveLength(1);
  expect(bindingsThatCount([{ ...binding(early), catalogueId: 'LLM42' }], [server(late)])).toHaveLength(1);
});

test('entries stay the same objects while the servers do, and servers that cannot be used have none', () => {
  let list: readonly ConnectedServer[] = [];
  const servers: ConnectedServers = { list: () => list, onChange: () => () => undefined };
  const configured = createCatalogue({ models: {} });
  const catalogue = createServedCatalogue(configured, servers);
  expect(catalogue.get('CORE-GOV')).toBe(configured.get('CORE-GOV'));
  list = [server(early)];
  const served = catalogue.get('CORE-GOV');
  expect(served?.engines).toMatchObject([{ engine: 'gpu', model: 'm' }]);
  expect(catalogue.get('CORE-GOV')).toBe(served);
  list = [server(early, { problem: 'no key' })];
  expect(catalogue.list()).toEqual(configured.list());
});

test('no connected server may have the name of an engine of the configuration, or of our own', () => {
  expect([...reservedEngineNames(['gpu'])].toSorted()).toEqual(['builtin', 'gpu', 'llama', 'speech']);
});
