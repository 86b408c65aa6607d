import { expect, test } from 'vitest';
import { argumentsOf, inputsOf } from './inputs.ts';

const parameters = {
  type: 'object',
  properties: {
    note: { type: ['string', 'null'], description: 'For people' },
    city: { type: 'string' },
    unit: { enum: ['C', 'F', 1, null] },
    exact: { type: 'boolean' },
    where: { type: 'object' },
    open: {},
  },
  required: ['city'],
};

test('inputs of a tool are what its schema says, the needed ones first', () => {
  expect(inputsOf(parameters)).toEqual([
    { name: 'city', description: '', type: 'string', required: true, options: null, json: false },
    { name: 'note', description: 'For people', type: 'string | null', required: false, options: null, json: false },
    { name: 'unit', description: '', type: '', required: false, options: ['C', 'F', '1'], json: false },
    { name: 'exact', description: '', type: 'boolean', required: false, options: ['true', 'false'], json: false },
    { name: 'where', description: '', type: 'object', required: false, options: null, json: true },
    { name: 'open', description: '', type: '', required: false, options: null, json: true },
  ]);
  expect(inputsOf(null)).toEqual([]);
  expect(inputsOf({ properties: [] })).toEqual([]);
});

test('what is sent is what was entered', () => {
  const texts = { city: '5', exact: 'true', where: '{"x":1}', open: 'no JSON', note: '' };
  expect(argumentsOf(inputsOf(parameters), texts)).toEqual({
    city: '5',
    exact: 'true',
    where: { x: 1 },
    open: 'no JSON',
  });
});
