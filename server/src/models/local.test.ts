import { describe, expect, it } from 'vitest';
import { createCatalogue } from './catalogue.ts';
import { type LocalModel, withLocalModels } from './local.ts';

const configured = createCatalogue({ models: { ranker: { kind: 'rerank' } } });
const local = (more: Partial<LocalModel> = {}): LocalModel => ({
  id: 'small',
  kind: 'chat',
  description: 'A local model',
  contextLength: 4096,
  tools: true,
  thinking: 'none',
  family: null,
  dimensions: null,
  ...more,
});
const entries = (models: readonly LocalModel[], bindings: Record<string, string> = {}) => {
  const pairs = Object.entries(bindings).map(([catalogueId, localId]) => ({ catalogueId, localId }));
  return new Map(withLocalModels(configured, models, pairs).map((model) => [model.id, model]));
};

describe('model files in the catalogue', () => {
  it('of which nothing is known for certain change no entry that is bound to them', () => {
    const all = entries([local({ id: 'torn', unusable: true })], { 'CORE-GOV': 'torn' });
    expect(all.get('torn')).toMatchObject({ unusable: true, engines: [{ engine: 'llama', model: 'torn' }] });
    expect(all.get('CORE-GOV')).toEqual({
      ...configured.get('CORE-GOV'),
      engines: [{ engine: 'llama', model: 'torn', weight: 1, priority: 0 }],
    });
  });

  it('stand beside those of the configuration, each with the form of its kind', () => {
    const all = entries([
      local(),
      local({ id: 'thinker', thinking: 'optional' }),
      local({ id: 'levels', thinking: 'always', family: 'gpt-oss' }),
      local({ id: 'vectors', kind: 'embedding', dimensions: 384, contextLength: 128 }),
      local({ id: 'scores', kind: 'rerank' }),
    ]);
    expect(all.size).toBe(configured.list().length + 5);
    expect(all.get('small')).toMatchObject({
      engines: [{ engine: 'llama', model: 'small' }],
      context_length: 4096,
      reasoning: { default: 'none', keys: [] },
      template_keys: {},
    });
    expect(all.get('thinker')).toMatchObject({
      reasoning: { default: 'on', keys: ['reasoning_content'] },
      template_keys: { enable_thinking: { when_false: 'off' } },
    });
    expect(Object.keys(all.get('levels')?.template_keys ?? {})).toEqual(['reasoning_effort']);
    expect(all.get('vectors')).toMatchObject({ kind: 'embedding', dimensions: 384, context_length: 128 });
    expect(all.get('scores')).toMatchObject({ kind: 'rerank' });
  });

  it('never take the place of an id of the configuration by themselves', () => {
    expect(entries([local({ id: 'CORE-GOV' })]).get('CORE-GOV')).toBe(configured.get('CORE-GOV'));
  });

  it('serve a bound id with its own keys, told to think in the model’s own terms', () => {
    const all = entries([local({ id: 'thinker', thinking: 'optional' })], {
      'CORE-GOV-THINK': 'thinker',
      LLM42: 'thinker',
      'CORE-GOV-VLM': 'thinker',
    });
    const before = configured.get('CORE-GOV-THINK');
    const think = all.get('CORE-GOV-THINK');
    expect(think).toMatchObject({
      engines: [{ engine: 'llama', model: 'thinker' }],
      context_length: 4096,
      template_keys: before?.template_keys,
      tool_stream: before?.tool_stream,
      reasoning: {
        default: 'on',
        keys: ['reasoning_content'],
        switch: {
          on: { body: { chat_template_kwargs: { enable_thinking: true, force_reasoning: true } } },
          off: { body: { chat_template_kwargs: { enable_thinking: false, skip_reasoning: true } } },
        },
      },
    });
    // It has no key for thinking, so that there must be none.
    expect(all.get('LLM42')?.reasoning).toMatchObject({
      default: 'off',
      keys: [],
      switch: { on: { body: { chat_template_kwargs: { enable_thinking: false, skip_reasoning: true } } } },
    });
    expect(all.get('CORE-GOV-VLM')?.images).toBe(false);
  });

  it('serve an id that the configuration binds to them in the same way, and heed a switch that is written there', () => {
    const engines = [{ engine: 'llama', model: 'thinker' }];
    const own = createCatalogue({
      models: {
        'CORE-GOV': { engines },
        'CORE-GOV-VLM': { engines, reasoning: { switch: { off: { system: '/no_think' } } } },
        LLM42: { engines: [...engines, { engine: 'builtin', priority: 1 }] },
      },
    });
    const all = new Map(
      withLocalModels(own, [local({ id: 'thinker', thinking: 'optional' })], []).map((model) => [model.id, model]),
    );
    expect(all.get('CORE-GOV')).toMatchObject({
      context_length: 4096,
      reasoning: {
        default: 'off',
        switch: { off: { body: { chat_template_kwargs: { enable_thinking: false, skip_reasoning: true } } } },
      },
    });
    expect(all.get('CORE-GOV-VLM')?.reasoning.switch).toEqual({ off: { system: '/no_think' } });
    expect(all.get('LLM42')).toBe(own.get('LLM42'));
  });

  it('keep a binding whose model is not there, and leave one of another kind aside', () => {
    const all = entries([local({ id: 'vectors', kind: 'embedding' })], { 'CORE-GOV': 'gone', LLM42: 'vectors' });
    expect(all.get('CORE-GOV')?.engines).toMatchObject([{ engine: 'llama', model: 'gone' }]);
    expect(all.get('LLM42')).toBe(configured.get('LLM42'));
  });
});
