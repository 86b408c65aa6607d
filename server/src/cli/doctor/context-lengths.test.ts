import { expect, test } from 'vitest';
import { createCatalogue } from '../../models/catalogue.ts';
import type { EngineReport } from '../models.ts';
import { checkLengths } from './context-lengths.ts';

const report = (id: string, contextLength: number | null, problem: string | null = null): EngineReport => ({
  id,
  kind: 'openai',
  problem,
  models: problem === null ? [{ name: 'served', contextLength }] : [],
});

function findings(reports: readonly EngineReport[], context_length?: number) {
  const entry = {
    engines: [
      { engine: 'gpu', model: 'served', weight: 1, priority: 0 },
      { engine: 'spare', model: 'served', weight: 1, priority: 1 },
    ],
    ...(context_length === undefined ? {} : { context_length }),
  };
  const models = { mine: entry };
  const catalogue = createCatalogue({ models });
  const spare = [report('spare', 1024)];
  return checkLengths(
    catalogue.list(),
    new Map([
      ['gpu', reports],
      ['spare', spare],
    ]),
    models,
  );
}

test('a length that all addresses of the first priority have is well', () => {
  expect(findings([report('gpu/0', 32_768), report('gpu/1', 32_768)])).toEqual([
    { level: 'ok', subject: 'Model mine', text: 'has a context of 32768 tokens', advice: null },
  ]);
  expect(findings([report('gpu', 262_144)], 32_768)).toMatchObject([
    { level: 'ok', text: 'has a context of 32768 tokens' },
  ]);
});

test('different lengths are told, and which one counts', () => {
  const [found] = findings([report('gpu/0', 32_768), report('gpu/1', 8192)]);
  expect(found?.level).toBe('warn');
  expect(found?.text).toMatch(/gpu\/0 32768, gpu\/1 8192; 8192 tokens count for all/);
});

test('a server that does not say its length is told, unless the configuration does', () => {
  const [found] = findings([report('gpu', null)]);
  expect(found).toMatchObject({ level: 'warn', subject: 'Model mine' });
  expect(found?.text).toMatch(/^gpu does not say .* 131072 tokens are assumed/);
  expect(found?.advice).toContain('models: {mine: {context_length: N}}');
  expect(findings([report('gpu', null)], 16_384)).toMatchObject([{ level: 'ok' }]);
});

test('a configured length that its server does not have is told', () => {
  const [found] = findings([report('gpu', 32_768)], 131_072);
  expect(found).toMatchObject({ level: 'warn' });
  expect(found?.text).toBe('context_length is 131072, but its server has a context of 32768 tokens, which counts');
});

test('nothing is said of servers that do not answer, and of models that none has', () => {
  expect(findings([report('gpu', null, 'refuses connections')])).toEqual([]);
});
