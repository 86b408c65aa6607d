import { describe, expect, it } from 'vitest';
import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import { createCatalogue } from './catalogue.ts';
import { type ServedModel, guessKind, withModelServers } from './served.ts';

const configured = createCatalogue({ models: {} });
const model = (id: string, over: Partial<ServedModel> = {}): ServedModel => ({
  remoteId: id,
  id,
  kind: 'chat',
  contextLength: null,
  ...over,
});
const serve = (models: readonly ServedModel[], dialect: string | null = null) =>
  withModelServers(configured, [{ name: 'gpu', dialect, models }]);

describe('the kind of a model', () => {
  it.each([
    ['Qwen/Qwen3-32B', 'chat'],
    ['llama3.2:3b', 'chat'],
    ['gpt-4o', 'chat'],
    ['BAAI/bge-m3', 'embedding'],
    ['text-embedding-3-small', 'embedding'],
    ['intfloat/multilingual-e5-large', 'embedding'],
    ['nomic-embed-text:latest', 'embedding'],
    ['Qwen/Qwen3-Embedding-0.6B', 'embedding'],
    ['BAAI/bge-reranker-v2-m3', 'rerank'],
    ['Qwen/Qwen3-Reranker-4B', 'rerank'],
    ['whisper-1', 'transcription'],
    ['openai/whisper-large-v3-turbo', 'transcription'],
    ['gpt-4o-mini-transcribe', 'transcription'],
    ['gpt-4o-mini-tts', 'speech'],
    ['hexgrad/Kokoro-82M', 'speech'],
    ['gpt-4o-realtime-preview', null],
    ['dall-e-3', null],
  ])('%s is %s', (name, kind) => {
    expect(guessKind(name)).toBe(kind);
  });
});

describe('the catalogue with connected servers', () => {
  it('is that of the configuration while there are none', () => {
    expect(withModelServers(configured, [])).toBe(configured);
  });

  it('keeps the profile of an id that it knows, and takes the room that the server has', () => {
    const before = configured.get('CORE-GOV-THINK-V1-32B');
    const after = serve([model('CORE-GOV-THINK-V1-32B', { remoteId: 'my/model', contextLength: 8192 })]).get(
      'CORE-GOV-THINK-V1-32B',
    );
    expect(after).toEqual({
      ...before,
      engines: [{ engine: 'gpu', model: 'my/model', weight: 1, priority: 0 }],
      context_length: 8192,
    });
    expect(serve([model('CORE-GOV')]).get('LLM42')).toBe(configured.get('LLM42'));
  });

  it('tells a server that renders templates whether to think, in the words of every family', () => {
    const think = serve([model('CORE-GOV')], 'vllm').get('CORE-GOV');
    expect(think?.reasoning.switch?.off).toMatchObject({ body: { chat_template_kwargs: { enable_thinking: false } } });
    expect(serve([model('CORE-GOV')], 'openai').get('CORE-GOV')?.reasoning.switch).toBeUndefined();
  });

  it('has a new id with what the name tells of it', () => {
    const catalogue = serve(
      [
        model('llama'),
        model('q', { remoteId: 'Qwen/Qwen3-8B', contextLength: 40_960 }),
        model('oss', { remoteId: 'openai/gpt-oss-20b' }),
        model('eyes', { remoteId: 'Qwen/Qwen2.5-VL-7B-Instruct' }),
        model('vectors', { kind: 'embedding' }),
      ],
      'sglang',
    );
    const keys = reasoningKeys;
    expect(catalogue.get('llama')).toMatchObject({ images: false, reasoning: { default: 'none', keys } });
    expect(catalogue.get('q')).toMatchObject({
      context_length: 40_960,
      reasoning: { default: 'on', keys, switch: {} },
      template_keys: { enable_thinking: { type: 'boolean' } },
    });
    expect(catalogue.get('oss')?.template_keys).toHaveProperty('reasoning_effort');
    expect(catalogue.get('eyes')?.images).toBe(true);
    expect(catalogue.get('vectors')?.kind).toBe('embedding');
    expect(catalogue.list().at(-1)?.id).toBe('vectors');
    expect(catalogue.list()).toHaveLength(configured.list().length + 5);
  });

  it('shares an id between servers, within the least room; another kind counts for nothing', () => {
    const catalogue = withModelServers(configured, [
      {
        name: 'a',
        dialect: null,
        models: [model('m', { contextLength: 4096 }), model('LLM42', { kind: 'embedding' })],
      },
      { name: 'b', dialect: null, models: [model('m', { contextLength: 8192 }), model('m', { kind: 'rerank' })] },
    ]);
    expect(catalogue.get('m')).toMatchObject({ context_length: 4096, engines: [{ engine: 'a' }, { engine: 'b' }] });
    expect(catalogue.get('LLM42')).toBe(configured.get('LLM42'));
  });
});
