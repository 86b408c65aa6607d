import { expect, test } from 'vitest';
import { createCatalogue } from '../models/catalogue.ts';
import { requireModel } from './named-model.ts';

const engines = [{ engine: 'e' }];
const catalogue = createCatalogue({
  models: {
    vectors: { kind: 'embedding', engines },
    ranks: { kind: 'rerank', engines },
    ears: { kind: 'transcription', engines },
    voice: { kind: 'speech', engines },
  },
  aliases: { mine: 'LLM42', words: 'vectors' },
});
const only = (...ids: readonly string[]) => new Set(ids);
const refusal = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'invalid_request',
    param: 'model',
    message: expect.stringMatching(message) as string,
  }) as Error;

test('a model is found by its id and by an alias, as far as the actor may use the model itself', () => {
  expect(requireModel(catalogue, 'chat', null, 'LLM42').id).toBe('LLM42');
  expect(requireModel(catalogue, 'chat', only('LLM42'), 'mine').id).toBe('LLM42');
  expect(() => requireModel(catalogue, 'chat', only('mine', 'CORE-GOV'), 'mine')).toThrow(
    refusal(/^The model "mine" does not exist; use one of: CORE-GOV$/),
  );
});

test('a model of another kind is refused with what it is, unless the actor may not know of it', () => {
  const kinds = [
    ['vectors', 'an embedding model'],
    ['words', 'an embedding model'],
    ['ranks', 'a reranking model'],
    ['ears', 'a speech-to-text model'],
    ['voice', 'a text-to-speech model'],
  ] as const;
  for (const [name, kind] of kinds)
    expect(() => requireModel(catalogue, 'chat', only('vectors', 'ranks', 'ears', 'voice', 'LLM42'), name)).toThrow(
      refusal(new RegExp(`^The model "${name}" is ${kind}; use one of: LLM42$`)),
    );
  expect(() => requireModel(catalogue, 'rerank', only('ranks', 'LLM42'), 'LLM42')).toThrow(
    refusal(/^The model "LLM42" is a chat model; use one of: ranks$/),
  );
  expect(() => requireModel(catalogue, 'chat', only('LLM42'), 'vectors')).toThrow(
    refusal(/^The model "vectors" does not exist; use one of: LLM42$/),
  );
});
