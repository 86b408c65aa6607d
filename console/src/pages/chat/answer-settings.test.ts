import { expect, test } from 'vitest';
import { type AnswerSettings, settingsBody, storedSettings, tellsModels } from './answer-settings.ts';

const plain: AnswerSettings = { model: 'a', modelsBeside: [], collections: [], systemPrompt: null, parameters: {} };

test('the service is told what changes, and nothing else', () => {
  expect(settingsBody({})).toEqual({});
  expect(settingsBody({ systemPrompt: null, collections: [{ id: '1', name: 'x' }], modelsBeside: ['b'] })).toEqual({
    system_prompt: null,
    collections: ['1'],
    models_beside: ['b'],
  });
});

test('a draft that holds something else is read as far as it can be', () => {
  expect(storedSettings(null)).toEqual({});
  expect(
    storedSettings({ model: 7, modelsBeside: ['b', 1], systemPrompt: 'x', parameters: { temperature: 9 } }),
  ).toEqual({ modelsBeside: ['b'], systemPrompt: 'x' });
  expect(storedSettings({ model: 'm', parameters: { temperature: 0 } })).toEqual({
    model: 'm',
    parameters: { temperature: 0 },
  });
});

test('models are told how to answer by words and by numbers, zero among them', () => {
  expect(tellsModels(plain)).toBe(false);
  expect(tellsModels({ ...plain, parameters: { temperature: null } })).toBe(false);
  expect(tellsModels({ ...plain, parameters: { temperature: 0 } })).toBe(true);
  expect(tellsModels({ ...plain, systemPrompt: 'x' })).toBe(true);
});
