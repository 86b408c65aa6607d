import { expect, test } from 'vitest';
import { Config } from '../../config/schema.ts';
import { checkLlamaServer } from './llama-server.ts';

const look = (program: string | undefined) =>
  checkLlamaServer(
    Config.parse({
      local_models:
        program === undefined ? {} : { llama_server: program, models: { gemma: { mmproj: 'mmproj-gemma.gguf' } } },
    }),
  );

test('the program that runs single models is looked for', async () => {
  expect(await look(undefined)).toEqual([]);
  expect(await look(process.execPath)).toMatchObject([{ level: 'ok', text: `${process.execPath}, for gemma` }]);
  expect(await look('llama-server')).toMatchObject([{ level: 'ok' }]);
  // A file that is no program.
  for (const path of ['/nowhere/llama-server', import.meta.filename])
    expect(await look(path)).toMatchObject([{ level: 'warn', advice: expect.stringContaining('503') as string }]);
});

test('models that need it are refused where nothing says where it is', () => {
  const problems = (models: object, more: object = {}) => {
    const { error } = Config.safeParse({ local_models: { models, ...more } });
    return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
  };
  expect(problems({ a: { mmproj: 'mmproj.gguf' }, b: { runtime: 'bundled' } })).toEqual([
    expect.stringMatching(/^local_models\.models\.a\.mmproj: needs llama-server/),
  ]);
  const there = { llama_server: '/usr/bin/llama-server' };
  expect(problems({ a: { runtime: 'llama-server' } }, there)).toEqual([]);
  expect(problems({ a: { runtime: 'bundled', mmproj: 'm.gguf' } }, there)).toHaveLength(1);
  expect(problems({ a: { mmproj: '../m.gguf' } }, there)).toHaveLength(1);
});
