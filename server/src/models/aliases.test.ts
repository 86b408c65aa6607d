import { describe, expect, test } from 'vitest';
import { listAliases, modelNamed } from './aliases.ts';
import { type Aliases, createCatalogue, createLiveCatalogue } from './catalogue.ts';
import { LEXICAL_EMBEDDER } from './defaults.ts';
import type { ModelProfileInput } from './profile.ts';
import { speechProfile } from './speech.ts';

const bound = (kind: ModelProfileInput['kind'], model?: string): ModelProfileInput => ({
  kind,
  engines: [model === undefined ? { engine: 'e' } : { engine: 'e', model }],
});

const resolved = (
  name: string,
  models: Record<string, ModelProfileInput>,
  more: { readonly aliases?: Aliases; readonly defaultEmbedder?: string } = {},
) => modelNamed(createCatalogue({ models, ...more }), name)?.id;

describe('a well-known name', () => {
  test('of an embedder or a reranker stands for that model alone, whatever the site calls it', () => {
    expect(resolved('bge-m3', { 'bge-m3-q8_0': bound('embedding'), other: bound('embedding') })).toBe('bge-m3-q8_0');
    expect(resolved('bge-m3', { vectors: bound('embedding', 'BAAI/bge-m3') })).toBe('vectors');
    expect(resolved('bge-m3', { 'bge-m3-ko': bound('embedding'), other: bound('embedding') })).toBeUndefined();
    expect(resolved('bge-m3', { 'bge-m3-q8_0': bound('chat') })).toBeUndefined();
    expect(resolved('bge-reranker-v2-m3', { ranks: bound('rerank', 'BAAI/bge-reranker-v2-m3') })).toBe('ranks');
    expect(resolved('bge-reranker-v2-m3', { ranks: bound('rerank', 'other-reranker') })).toBeUndefined();
  });

  test('of the service stands for the embedder of the site', () => {
    expect(resolved('rag42-embed-v1', {})).toBe(LEXICAL_EMBEDDER);
    const models = { vectors: bound('embedding') };
    expect(resolved('rag42-embed-v1', models, { defaultEmbedder: 'vectors' })).toBe('vectors');
    // What is merely there is nobody's choice.
    expect(resolved('rag42-embed-v1', models)).toBe(LEXICAL_EMBEDDER);
  });

  test('of sound stands for the model that it means, else for any of its kind', () => {
    const hearing = {
      ears: bound('transcription', 'sense-voice'),
      turbo: bound('transcription', 'whisper-turbo'),
      large: bound('transcription', 'openai/whisper-large-v3'),
    };
    expect(resolved('whisper-large-v3', hearing)).toBe('large');
    expect(resolved('whisper-large-v3-turbo', hearing)).toBe('turbo');
    expect(resolved('whisper-1', hearing)).toBe('turbo');
    expect(resolved('whisper-1', { ears: hearing.ears })).toBe('ears');
    expect(resolved('whisper-1', {})).toBeUndefined();
    const speaking = { kokoro: bound('speech'), korean: bound('speech', 'myshell-ai/MeloTTS-Korean') };
    expect(resolved('melo-tts-ko', speaking)).toBe('korean');
    for (const name of ['tts-1', 'tts-1-hd', 'alloy']) expect(resolved(name, speaking)).toBe('kokoro');
  });

  test('follows what is there at the moment', () => {
    const live = createLiveCatalogue(createCatalogue({ models: {} }));
    expect(modelNamed(live, 'tts-1')).toBeUndefined();
    live.replace([speechProfile('voice', 'speech', 'A voice')]);
    expect(modelNamed(live, 'tts-1')?.id).toBe('voice');
    live.replace([{ ...speechProfile('voice', 'speech', 'A voice'), unusable: true }]);
    expect(modelNamed(live, 'tts-1')).toBeUndefined();
  });
});

describe('an alias', () => {
  test('never hides the id of a model', () => {
    const models = { 'whisper-1': bound('transcription'), 'whisper-turbo': bound('transcription') };
    expect(resolved('whisper-1', models)).toBe('whisper-1');
    expect(resolved('CORE-GOV', {}, { aliases: { 'CORE-GOV': 'LLM42' } })).toBe('CORE-GOV');
  });

  test('of the configuration goes before a well-known one, and null takes that away', () => {
    const models = { a: bound('speech'), b: bound('speech') };
    expect(resolved('tts-1', models, { aliases: { 'tts-1': 'b' } })).toBe('b');
    expect(resolved('tts-1', models, { aliases: { 'tts-1': null } })).toBeUndefined();
    expect(resolved('gpt-4o', models, { aliases: { 'gpt-4o': 'LLM42' } })).toBe('LLM42');
    expect(resolved('gpt-4o', models, { aliases: { 'gpt-4o': 'gone' } })).toBeUndefined();
  });

  test('is no name that objects have by themselves', () => {
    for (const name of ['constructor', '__proto__', 'toString']) expect(resolved(name, {})).toBeUndefined();
  });

  test('is listed with its model as long as there is one', () => {
    const models = { a: bound('speech'), 'tts-1-hd': bound('speech') };
    const catalogue = createCatalogue({ models, aliases: { mine: 'LLM42', alloy: null, lost: 'gone' } });
    const listed = Object.fromEntries(listAliases(catalogue).map(({ alias, model }) => [alias, model.id]));
    expect(listed).toEqual({ mine: 'LLM42', 'tts-1': 'a', 'melo-tts-ko': 'a', 'rag42-embed-v1': LEXICAL_EMBEDDER });
  });
});
