import { describe, expect, it } from 'vitest';
import { scriptedTool, toolSays } from '../../../../test/support/agent-runs.ts';
import { nameInMessages, takenCalls } from './calls.ts';

const tools = ['calculator', 'functions.x'].map((name) => scriptedTool(name, () => Promise.resolve(toolSays(''))));
const call = (name: string, id = 'a') => ({ id, name, arguments: '{}' });

describe('calls of tools that a model writes', () => {
  it.each([
    ['calculator', 'calculator'],
    ['calculator ', 'calculator'],
    ['functions.calculator', 'calculator'],
    [' functions.calculator\n', 'calculator'],
    ['functions.x', 'functions.x'],
    ['functions.nothing', 'functions.nothing'],
    ['Calculator', 'Calculator'],
    ['계산기', '계산기'],
    ['', ''],
  ])('%j means %j', (name, meant) => {
    expect(takenCalls([call(name)], tools)).toEqual([call(meant)]);
  });

  it('have ids of their own', () => {
    const ids = ['a', 'a', 'a_2', 'a', '', ''].map((id) => call('calculator', id));
    expect(takenCalls(ids, tools).map(({ id }) => id)).toEqual(['a', 'a_3', 'a_2', 'a_4', 'call_2', 'call_3']);
  });

  it.each([
    ['get_employee-2', 'get_employee-2'],
    ['_x_', '_x_'],
    ['get employee', 'get_employee'],
    ['functions.nothing', 'functions_nothing'],
    ['계산기', 'unknown'],
    ['', 'unknown'],
    ['x'.repeat(200), 'x'.repeat(64)],
  ])('stand in messages with names that are some: %j as %j', (name, written) => {
    expect(nameInMessages(name)).toBe(written);
  });
});
