import { describe, expect, test } from 'vitest';
import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { planTemplate } from './template.ts';

const catalogue = createCatalogue({
  models: {
    off_key: {
      reasoning: { default: 'on', keys: ['reasoning'] },
      template_keys: {
        no_thinking: { type: 'boolean', when_false: 'on' },
        silent: { type: 'boolean', when_true: 'off' },
      },
    },
    levels: {
      reasoning: { default: 'on', keys: ['reasoning'] },
      template_keys: { reasoning_effort: { type: 'string', enum: ['low', 'medium', 'high'] } },
    },
    switched: {
      reasoning: {
        default: 'on',
        keys: ['reasoning'],
        switch: { on: { system: '/think {value}' }, off: { body: { extra: ['{value}', 1] } } },
      },
      template_keys: { think: { type: 'boolean', when_true: 'on', when_false: 'off' } },
    },
    plain: {
      reasoning: { default: 'none', keys: [] },
      template_keys: {
        mode: { type: 'string', send: { body: { options: { mode: '{value}' } }, system: 'Mode {value}' } },
      },
    },
    optional: {
      reasoning: { default: 'off', keys: ['reasoning'] },
      template_keys: {
        a: { type: 'boolean', when_true: 'on', when_false: 'off' },
        b: { type: 'boolean', when_true: 'on', when_false: 'off' },
      },
    },
  },
});
const plan = (id: string, fields: Partial<ChatRequest>) => {
  const model = catalogue.get(id);
  if (model?.kind !== 'chat') throw new Error(id);
  return planTemplate({ model: id, messages: [], ...fields }, model);
};
const nothing = { body: {}, system: [] };

describe('reasoning_effort', () => {
  test.each([
    ['high', { chat_template_kwargs: { no_thinking: false } }, true],
    ['none', { chat_template_kwargs: { silent: true } }, false],
  ] as const)('%s is said by the key that turns thinking on or off', (effort, body, thinking) => {
    expect(plan('off_key', { reasoning_effort: effort })).toEqual({ ...nothing, body, thinking });
  });

  test.each([
    ['none', 'low'],
    ['minimal', 'low'],
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
    ['xhigh', 'high'],
  ] as const)('%s is the level %s of a model that has three', (effort, level) => {
    expect(plan('levels', { reasoning_effort: effort })).toMatchObject({
      body: { chat_template_kwargs: { reasoning_effort: level } },
      thinking: effort !== 'none',
    });
  });

  test('is for a switch of the engine to say, and nothing where the model does not think', () => {
    expect(plan('switched', { reasoning_effort: 'low' })).toEqual({
      body: {},
      system: ['/think true'],
      thinking: true,
    });
    expect(plan('switched', { reasoning_effort: 'none' })).toEqual({
      body: { extra: [false, 1] },
      system: [],
      thinking: false,
    });
    expect(plan('plain', { reasoning_effort: 'high' })).toEqual({ ...nothing, thinking: null });
  });

  test('gives way to a key that says it', () => {
    expect(plan('off_key', { reasoning_effort: 'none', chat_template_kwargs: { no_thinking: false } })).toEqual({
      ...nothing,
      body: { chat_template_kwargs: { no_thinking: false } },
      thinking: true,
    });
  });
});

describe('keys of a template', () => {
  test('are sent as the model wants them', () => {
    expect(plan('plain', { chat_template_kwargs: { mode: 'x' } })).toEqual({
      body: { options: { mode: 'x' } },
      system: ['Mode x'],
      thinking: null,
    });
  });

  test('that ask for thinking win over those that do not, which are not sent', () => {
    for (const kwargs of [
      { a: true, b: false },
      { b: false, a: true },
    ])
      expect(plan('optional', { chat_template_kwargs: kwargs })).toEqual({
        ...nothing,
        body: { chat_template_kwargs: { a: true } },
        thinking: true,
      });
    expect(plan('optional', { chat_template_kwargs: { a: false, b: false } })).toMatchObject({
      body: { chat_template_kwargs: { a: false, b: false } },
      thinking: false,
    });
  });

  test('are not sent where the engine has a switch', () => {
    expect(plan('switched', { chat_template_kwargs: { think: false } })).toEqual({
      body: { extra: [false, 1] },
      system: [],
      thinking: false,
    });
  });

  test('that were not given leave the model as it is by itself', () => {
    expect(plan('switched', {})).toEqual({ body: {}, system: ['/think true'], thinking: true });
    expect(plan('optional', {})).toEqual({ ...nothing, thinking: false });
    expect(plan('optional', { chat_template_kwargs: {} })).toEqual({ ...nothing, thinking: false });
    expect(plan('plain', {})).toEqual({ ...nothing, thinking: null });
  });
});
