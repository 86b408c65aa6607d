import { expect, test } from 'vitest';
import { createCatalogue, createLiveCatalogue } from './catalogue.ts';
import { withKnownInputs } from './known-inputs.ts';
import { withModelServers } from './served.ts';

type Said = { readonly images: boolean; readonly audio: boolean };

function openCatalogue() {
  const said = new Map<string, Said>();
  const served = (id: string, kind: 'chat' | 'embedding' = 'chat') => ({ id, remoteId: id, kind, contextLength: 8192 });
  const configured = createCatalogue({ models: { written: { images: true } } });
  const models = [served('plain'), served('a-vl-model'), served('written'), served('vectors', 'embedding')];
  const base = createLiveCatalogue(withModelServers(configured, [{ name: 'gpu', dialect: 'llama-server', models }]));
  const catalogue = withKnownInputs(base, ({ id }) => said.get(id) ?? null);
  const takes = (id: string) => {
    const model = catalogue.get(id);
    return model && [model.images, model.inputs];
  };
  return { said, base, catalogue, takes };
}

test('a model of a connected server takes what its server says, and what its name says before that', () => {
  const { said, catalogue, takes } = openCatalogue();
  expect([takes('plain'), takes('a-vl-model')]).toEqual([
    [false, []],
    [true, []],
  ]);
  said.set('plain', { images: true, audio: true });
  said.set('a-vl-model', { images: false, audio: false });
  expect([takes('plain'), takes('a-vl-model')]).toEqual([
    [true, ['audio']],
    [false, []],
  ]);
  for (const listed of [catalogue.list(), catalogue.all()])
    expect(listed.find(({ id }) => id === 'plain')).toBe(catalogue.get('plain'));
});

test('what somebody wrote stays, and models of other kinds take no more than before', () => {
  const { said, base, catalogue } = openCatalogue();
  for (const id of ['written', 'vectors']) said.set(id, { images: false, audio: true });
  for (const id of ['written', 'vectors']) expect(catalogue.get(id)).toBe(base.get(id));
  expect(catalogue.get('none')).toBeUndefined();
});

test('an entry stays the same object as long as its server says the same', () => {
  const { said, base, catalogue } = openCatalogue();
  said.set('plain', { images: false, audio: false });
  expect(catalogue.get('plain')).toBe(base.get('plain'));
  said.set('plain', { images: true, audio: false });
  const entry = catalogue.get('plain');
  expect(catalogue.get('plain')).toBe(entry);
  said.set('plain', { images: true, audio: true });
  expect(catalogue.get('plain')).not.toBe(entry);
});
