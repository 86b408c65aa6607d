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
    typed: {
      reasoning: { default: 'none', keys: [] },
      template_keys: {
        depth: { type: 'integer' },
        share: { type: 'number' },
        tone: { type: 'string', enum: ['kind', 'brief'] },
        tongue: { type: 'string', format: 'language' },
        options: { type: 'boolean', send: { body: { options: { deep: ['{value}', null, 2] } } } },
        more: { type: 'boolean', send: { body: { options: { more: '{value}' } } } },
        flat: { type: 'boolean', send: { body: { options: '{value}' } } },
      },
    },
    silent: { reasoning: { default: 'on', keys: ['reasoning'] } },
    custom_level: {
      reasoning: { default: 'on', keys: ['reasoning'] },
      template_keys: { reasoning_effort: { type: 'string', enum: ['minimal', 'high'] } },
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

describe('a value of a key', () => {
  const kwargs = (given: object) => plan('typed', { chat_template_kwargs: given as Record<string, never> });
  const refusal = (given: object) => {
    try {
      kwargs(given);
    } catch (error) {
      const { param, message } = error as { param: string; message: string };
      return [param, message];
    }
    return null;
  };

  test.each([
    [{ depth: 1.5 }, 'depth', 'must be an integer'],
    [{ depth: '1' }, 'depth', 'must be an integer'],
    [{ share: '1' }, 'share', 'must be a number'],
    [{ tone: 1 }, 'tone', 'must be a string'],
    [{ tone: 'cruel' }, 'tone', 'must be one of "kind", "brief"'],
    [{ tongue: '한국어' }, 'tongue', 'must be a language tag such as ko or en-US'],
    [{ options: 'yes' }, 'options', 'must be true or false'],
  ])('that is none is refused by its name: %j', (given, name, words) => {
    const param = `chat_template_kwargs.${name}`;
    expect(refusal(given)).toEqual([param, `${param} ${words}`]);
  });

  test('that is one is sent', () => {
    const given = { depth: 2, share: 0.5, tone: 'kind', tongue: 'en-US' };
    expect(kwargs(given)).toEqual({ ...nothing, body: { chat_template_kwargs: given }, thinking: null });
  });

  test('fills its place at any depth, beside what others fill, and takes the place of what is no object', () => {
    expect(kwargs({ options: true, more: false }).body).toEqual({ options: { deep: [true, null, 2], more: false } });
    expect(kwargs({ flat: true, more: false }).body).toEqual({ options: { more: false } });
    expect(kwargs({ more: false, flat: true }).body).toEqual({ options: true });
  });

  test('of a key that the model does not have is refused with those that it has', () => {
    const words = 'is not a key of the model';
    expect(refusal({ other: 1 })?.[1]).toBe(
      `chat_template_kwargs.other ${words} typed, which takes depth, share, tone, tongue, options, more, flat`,
    );
    expect(() => plan('silent', { chat_template_kwargs: { other: true } })).toThrow(
      `chat_template_kwargs.other ${words} silent, which takes none`,
    );
  });
});

test('an effort is said as it is where the model knows it, and not at all where it has no key for it', () => {
  const effort = (id: string, reasoning_effort: ChatRequest['reasoning_effort']) => plan(id, { reasoning_effort });
  expect(effort('custom_level', 'minimal').body).toEqual({ chat_template_kwargs: { reasoning_effort: 'minimal' } });
  expect(effort('silent', 'high')).toEqual({ ...nothing, thinking: true });
  expect(effort('silent', 'none')).toEqual({ ...nothing, thinking: false });
  expect(plan('silent', {})).toEqual({ ...nothing, thinking: true });
});
