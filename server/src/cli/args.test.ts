import { expect, test } from 'vitest';
import { parseCommandLine, extractFlags } from './args.ts';

test('values may follow after a space or an equals sign, switches take none', () => {
  expect(parseCommandLine(['key', 'create', '--name', 'my key', '--port=80', '--json', 'x', '-h'])).toEqual({
    positionals: ['key', 'create', 'x'],
    flags: [
      ['name', 'my key'],
      ['port', '80'],
      ['json', true],
      ['help', true],
    ],
  });
});

test('a flag before another flag has no value, a value may be empty, and -- ends the options', () => {
  expect(parseCommandLine(['--a', '--b=', '--', '--c'])).toEqual({
    positionals: ['--c'],
    flags: [
      ['a', true],
      ['b', ''],
    ],
  });
});

test('the flags of a command are told from those of the configuration', () => {
  const { own, rest } = extractFlags(parseCommandLine(['--name', 'x', '--server.port', '1']), ['name']);
  expect(own).toEqual({ name: 'x' });
  expect(rest).toEqual([['server.port', '1']]);
});
