import { expect, test } from 'vitest';
import type { ConnectedServer } from '../model-servers/index.ts';
import { createCatalogue, createLiveCatalogue } from '../models/catalogue.ts';
import type { LocalBinding, LocalModel } from '../models/local.ts';
import { speechProfile } from '../models/speech.ts';
import { createShowModels } from './shown-models.ts';

const file: LocalModel = {
  id: 'small',
  kind: 'chat',
  description: 'A small model',
  contextLength: 4096,
  tools: true,
  thinking: 'none',
  family: null,
  dimensions: null,
};

function openShown() {
  const seen: string[] = [];
  const configured = createCatalogue({ models: {} });
  const catalogue = createLiveCatalogue(configured);
  catalogue.onChange(() => seen.push('catalogue'));
  const now = {
    models: [file] as readonly LocalModel[],
    bindings: [] as readonly LocalBinding[],
    servers: [] as readonly ConnectedServer[],
    speech: [speechProfile('voice', 'speech', 'A voice')],
  };
  const show = createShowModels({
    catalogue,
    served: configured,
    servers: { list: () => now.servers },
    applyServers: () => {
      seen.push('engines opened');
      return () => void seen.push('engines closed');
    },
    bindings: { list: () => now.bindings },
    models: () => now.models,
    speech: () => now.speech,
    onShown: () => seen.push('shown'),
  });
  return { seen, catalogue, now, show };
}

test('files, bindings and speech models stand in the catalogue; engines are opened before it and closed after it', () => {
  const { seen, catalogue, now, show } = openShown();
  show();
  expect(seen).toEqual(['engines opened', 'catalogue', 'engines closed', 'shown']);
  expect(catalogue.get('small')?.engines).toMatchObject([{ engine: 'llama', model: 'small' }]);
  expect(catalogue.get('voice')).toBe(now.speech[0]);
  now.bindings = [{ catalogueId: 'CORE-GOV', localId: 'small' }];
  show();
  expect(catalogue.get('CORE-GOV')?.engines).toMatchObject([{ engine: 'llama', model: 'small' }]);
  now.models = [];
  now.bindings = [];
  show();
  expect(catalogue.get('small')).toBeUndefined();
});

test('where nothing changed nobody is told', () => {
  const { seen, show } = openShown();
  show();
  const before = seen.length;
  show();
  expect(seen).toHaveLength(before);
});

test('a binding counts for nothing where somebody gave its id to a server since', () => {
  const { catalogue, now, show } = openShown();
  now.bindings = [{ catalogueId: 'CORE-GOV', localId: 'small', boundAt: '2026-01-01T00:00:00.000Z' }];
  const model = {
    remoteId: 'm',
    id: 'CORE-GOV',
    kind: 'chat',
    contextLength: null,
    boundAt: '2026-01-02T00:00:00.000Z',
  };
  now.servers = [{ name: 'gpu', problem: null, models: [model] } as unknown as ConnectedServer];
  show();
  expect(catalogue.get('CORE-GOV')?.engines.map(({ engine }) => engine)).not.toContain('llama');
});
