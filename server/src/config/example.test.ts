import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configJsonSchema } from './json-schema.ts';
import { keysAt, leaves } from './leaves.ts';
import { loadConfig } from './load.ts';
import { Config } from './schema.ts';
import { parseYamlFile } from './sources.ts';

const root = join(import.meta.dirname, '../../..');
const file = join(root, 'studio.example.yaml');
const text = readFileSync(file, 'utf8');

/** The example with everything switched on that stands behind a `#`. */
function switchedOn(): string {
  return text
    .replace('engines: {}\n', 'engines:\n')
    .replace('models: {}\n', 'models:\n')
    .split('\n')
    .map((line) => line.replace(/^(\s*)#(?=\S| {2})/, '$1'))
    .join('\n');
}

test('the example says what holds without it', () => {
  const { config, warnings } = loadConfig({ env: {}, cwd: root, file: 'studio.example.yaml' });
  expect(warnings).toEqual([]);
  expect(config).toEqual({ ...Config.parse({}), data_dir: join(root, 'data') });
});

test('the example is right with everything switched on', () => {
  const env = {
    DATABASE_PASSWORD: 'a',
    METRICS_TOKEN: 'b',
    GPU_API_KEY: 'c',
    HUB_TOKEN: 'd',
    SECRET_KEY: 'e',
    REDIS_PASSWORD: 'r',
    OIDC_CLIENT_SECRET: 'o',
    STORAGE_SECRET: 's',
    SEARCH_PASSWORD: 'w',
    SMTP_PASSWORD: 'm',
  };
  const { values, problems } = parseYamlFile('example', switchedOn(), env);
  expect(problems).toEqual([]);
  const config = Config.parse(values);
  expect(config.engines['gpu']).toMatchObject({ api_key: 'c', addresses: { length: 2 } });
  expect(Object.keys(config.models)).toEqual(['CORE-GOV-THINK', 'LLM42-Translate', 'my-model', 'my-embedder']);
  expect(config.database.url).toContain('studio:a@');
});

test('the example shows every key', () => {
  const shown = (key: string) => new RegExp(`^[#\\s]*${key}:|[{ ]${key}:`, 'm').test(text);
  const keys = [
    ...leaves.flatMap(({ path }) => path),
    ...(keysAt(['engines', 'x']) ?? []),
    ...(keysAt(['models', 'x']) ?? []),
  ];
  expect(keys.length).toBeGreaterThan(50);
  expect(keys.filter((key) => !shown(key))).toEqual([]);
});

test('the schema for editors is the one of the configuration', () => {
  const stored: unknown = JSON.parse(readFileSync(join(root, 'docs/reference/studio.schema.json'), 'utf8'));
  // When this fails: npm run --silent studio -- config schema > docs/reference/studio.schema.json
  expect(stored).toEqual(configJsonSchema());
});
