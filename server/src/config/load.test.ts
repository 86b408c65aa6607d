import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { givenCores } from './cores.ts';
import { ConfigError, loadConfig, type LoadOptions } from './load.ts';
import { redact } from './redact.ts';

const folder = mkdtempSync(join(tmpdir(), 'ai-studio-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (yaml: string | null, more: Partial<LoadOptions> = {}) => {
  const file = join(folder, 'studio.yaml');
  if (yaml === null) rmSync(file, { force: true });
  else writeFileSync(file, yaml);
  return loadConfig({ env: {}, cwd: folder, ...more });
};

/** Every problem as `place  message`. */
const problemsOf = (yaml: string | null, more: Partial<LoadOptions> = {}) => {
  try {
    load(yaml, more);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ where, message }) => `${where}  ${message}`);
    throw error;
  }
  return [];
};

describe('sources', () => {
  test('without any source there are defaults, and the data folder is below the present one', () => {
    const { config, file } = load(null);
    expect(file).toBeNull();
    expect(config.server).toMatchObject({ host: '127.0.0.1', port: 8080, workers: 1 });
    expect(config.data_dir).toBe(join(folder, 'data'));
  });

  test('flags win over the environment, the environment over the file, the file over defaults', () => {
    const yaml = 'server:\n  port: 1001\n  host: file.test\n  workers: 2\n';
    const env = { STUDIO_SERVER_PORT: '1002', STUDIO_SERVER_HOST: 'environment.test' };
    const { config } = load(yaml, { env, flags: [['port', '1003']] });
    expect(config.server).toMatchObject({ port: 1003, host: 'environment.test', workers: 2 });
  });

  test('as many workers as cores are given stand for 0', () => {
    expect(load('server: {workers: 0}\n').config.server.workers).toBe(givenCores());
  });

  test('the environment gives objects and lists as JSON, and null as null', () => {
    const env = {
      STUDIO_ENGINES: '{"gov":{"addresses":["http://127.0.0.1:8000/v1"]}}',
      STUDIO_PROBE_PORTS: '[8000]',
      STUDIO_LIMITS_TOKENS_PER_MINUTE: 'null',
      STUDIO_LOG_LEVEL: '',
    };
    const { config } = load(null, { env });
    expect(config.engines['gov']?.addresses).toEqual(['http://127.0.0.1:8000/v1']);
    expect(config.probe.ports).toEqual([8000]);
    expect(config.limits.tokens_per_minute).toBeNull();
    expect(config.log.level).toBe('info');
  });

  test('lists are values with commas between, or JSON, wherever a text is read', () => {
    const origins = ['https://a.example.kr', 'http://b:3000'];
    const fromEnvironment = (text: string) => load(null, { env: { STUDIO_SERVER_CORS_ORIGINS: text } }).config.server;
    for (const text of [origins.join(','), ` ${origins.join(' , ')}, `, JSON.stringify(origins)])
      expect(fromEnvironment(text).cors_origins).toEqual(origins);
    expect(fromEnvironment('*').cors_origins).toEqual(['*']);
    expect(fromEnvironment('[]').cors_origins).toEqual([]);
    const env = {
      STUDIO_PROBE_PORTS: '8000, 8081',
      STUDIO_DOCUMENTS_OCR_LANGUAGES: 'eng',
      ALLOWED: '10.1.0.0/16,files',
    };
    const { config } = load('network: {allow: "${ALLOWED}"}\n', { env, flags: [['local_models.pinned', 'a,b']] });
    expect(config.probe.ports).toEqual([8000, 8081]);
    expect(config.documents.ocr_languages).toEqual(['eng']);
    expect(config.network.allow).toEqual(['10.1.0.0/16', 'files']);
    expect(config.local_models.pinned).toEqual(['a', 'b']);
  });

  test('texts of the file take parts from the environment', () => {
    const yaml = 'server:\n  port: ${WANTED}\ndata_dir: /x/$${WANTED}/${WANTED}\n';
    const { config } = load(yaml, { env: { WANTED: '9000' } });
    expect(config.server.port).toBe(9000);
    expect(config.data_dir).toBe('/x/${WANTED}/9000');
    expect(problemsOf(yaml)).toEqual([
      'studio.yaml:2:3  the environment variable WANTED is not set',
      'studio.yaml:3:1  the environment variable WANTED is not set',
      'studio.yaml:2:3  server.port must be a number, not a string',
    ]);
  });

  test('a model entry changes single fields of the default', () => {
    const { catalogue } = load('models:\n  CORE-GOV-THINK:\n    reasoning: {format: tags}\n  CORE-GOV: null\n');
    expect(catalogue.get('CORE-GOV-THINK')).toMatchObject({
      tool_stream: 'arguments',
      reasoning: { default: 'on', format: 'tags' },
    });
    expect(catalogue.get('CORE-GOV')).toBeUndefined();
  });
});

describe('mistakes', () => {
  test('all are told at once, each with its place and what would be right', () => {
    const yaml =
      'server:\n  prot: 80\n  host: ""\nlog:\n  level: loud\nengines:\n  gov:\n    addresses: [ftp://a]\nport: 1\n';
    expect(problemsOf(yaml, { env: { STUDIO_SERVER_WORKERS: 'many' }, flags: [['server.potr', '1']] })).toEqual([
      '--server.potr  is not a known option; did you mean --server.port?',
      'studio.yaml:3:3  server.host must not be empty',
      'STUDIO_SERVER_WORKERS  server.workers must be a number, not a string',
      'studio.yaml:2:3  server.prot is not a known key; did you mean port?',
      'studio.yaml:5:3  log.level must be one of "debug", "info", "warn", "error"',
      'studio.yaml:8:17  engines.gov.addresses[0] must be an address such as http://127.0.0.1:8000/v1',
      'studio.yaml:9:1  port is not a known key; did you mean server.port?',
    ]);
  });

  test('a variable that holds neither a list nor JSON is told what it may hold', () => {
    const env = { STUDIO_SERVER_CORS_ORIGINS: '[https://a]', STUDIO_ENGINES: 'gov', STUDIO_PROBE_PORTS: '8000,many' };
    expect(problemsOf(null, { env, flags: [['local_models.pinned', '["a']] })).toEqual([
      '--local_models.pinned  local_models.pinned must be values with commas between, or a list in JSON such as ["…"]',
      'STUDIO_SERVER_CORS_ORIGINS  server.cors_origins must be values with commas between, or a list in JSON such as ["…"]',
      'STUDIO_ENGINES  engines must be an object in JSON, such as {"name": …}',
      'STUDIO_PROBE_PORTS  probe.ports[1] must be a number, not a string',
    ]);
    expect(problemsOf(null, { env: { STUDIO_SERVER_CORS_ORIGINS: 'https://a/b,*' } })).toEqual([
      'STUDIO_SERVER_CORS_ORIGINS  server.cors_origins[0] must be an origin such as https://app.example.kr, without a path',
    ]);
  });

  test('fields that never go on to a model server cannot be listed', () => {
    const yaml = (field: string) => `engines:\n  gov:\n    addresses: [http://a/v1]\n    extra_fields: [${field}]\n`;
    expect(problemsOf(yaml('kv_transfer_params'))).toEqual([
      expect.stringContaining('must not be a field that is never passed on'),
    ]);
    expect(problemsOf(yaml('lora_path'))).toHaveLength(1);
    expect(problemsOf(yaml('temperature'))).toEqual([expect.stringContaining('must not be a field of the interface')]);
    expect(problemsOf(yaml('Not a field'))).toEqual([expect.stringContaining('must be a field name')]);
    expect(problemsOf(yaml('priority'))).toEqual([]);
  });

  test('a file that is not YAML is told with its line', () => {
    expect(problemsOf('server:\n  port: [1\n')[0]).toMatch(/^studio\.yaml:\d+:\d+ {2}/);
    expect(problemsOf('just text')).toEqual(['studio.yaml:1:1  the file must hold keys and values, such as "server:"']);
  });

  test('a named file must be there', () => {
    expect(problemsOf(null, { file: 'missing.yaml' })).toEqual([
      `${join(folder, 'missing.yaml')}  this file does not exist`,
    ]);
  });

  test('engines and models that are named must exist', () => {
    const yaml =
      'engines:\n  gov: {addresses: ["http://a/v1"]}\nmodels:\n  CORE-GOV:\n    engines: [{engine: gvo}]\ndefault_model: CORE-GO\n';
    expect(problemsOf(yaml)).toEqual([
      'studio.yaml:5:16  models.CORE-GOV.engines[0].engine: there is no engine "gvo"; did you mean gov?',
      'studio.yaml:6:1  default_model: there is no model "CORE-GO"; did you mean CORE-GOV?',
    ]);
  });

  test.each(['builtin', 'llama', 'speech'])('an engine cannot be named like the %s of the service', (name) => {
    expect(problemsOf(`engines:\n  ${name}: {addresses: ["http://a/v1"]}\n`)).toEqual([
      `studio.yaml:2:3  engines.${name}: "${name}" is reserved for an engine of the service itself; choose another name`,
    ]);
    const env = { STUDIO_ENGINES: JSON.stringify({ [name]: { addresses: ['http://a/v1'] } }) };
    expect(problemsOf(null, { env })).toEqual([expect.stringMatching(/^STUDIO_ENGINES .* is reserved /)]);
    expect(problemsOf(`engines:\n  ${name}-1: {addresses: ["http://a/v1"]}\n`)).toEqual([]);
  });

  test('a variable that looks like a setting is only warned of', () => {
    const { warnings } = load(null, { env: { STUDIO_SERVER_PROT: '1', STUDIO_SERVICE_HOST_OF_THE_CLUSTER: 'x' } });
    expect(warnings).toEqual([
      { where: 'STUDIO_SERVER_PROT', message: 'is not a setting; did you mean STUDIO_SERVER_PORT?' },
    ]);
  });
});

test('secrets are hidden where the configuration is shown', () => {
  const yaml = `database: {url: "postgres://u:hunter2@db/x"}
metrics: {token: hunter2}
engines:
  gov: {addresses: ["http://u:hunter2@a/v1"], api_key: hunter2, headers: {x-secret: hunter2}}
`;
  const shown = JSON.stringify(redact(load(yaml).config));
  expect(shown).not.toContain('hunter2');
  expect(shown).toContain('x-secret');
});

test('a fallback is another chat model of the catalogue, by its id or with its reasons', () => {
  const own = 'models:\n  CORE-GOV:\n    fallbacks: ';
  const { catalogue } = load(`${own}[CORE-GOV-THINK, {model: LLM42, on: [overloaded]}]\n`);
  expect(catalogue.get('CORE-GOV')?.fallbacks).toEqual(['CORE-GOV-THINK', { model: 'LLM42', on: ['overloaded'] }]);
  expect(problemsOf(`${own}[CORE-GOV, builtin-lexical, CORE-GOV-THNK]\n`)).toEqual([
    'studio.yaml:3:17  models.CORE-GOV.fallbacks[0]: is the model itself',
    'studio.yaml:3:27  models.CORE-GOV.fallbacks[1]: "builtin-lexical" cannot answer in its place: both must be chat models',
    'studio.yaml:3:44  models.CORE-GOV.fallbacks[2]: there is no model "CORE-GOV-THNK"; did you mean CORE-GOV-THINK?',
  ]);
});

test('a header for sessions is one that begins with x-', () => {
  const yaml = (name: string) => `engines: {gpu: {addresses: ["http://127.0.0.1:8000/v1"], session_header: ${name}}}\n`;
  expect(load(yaml('x-smg-routing-key')).config.engines['gpu']?.session_header).toBe('x-smg-routing-key');
  expect(load(yaml('null')).config.engines['gpu']?.session_header).toBeNull();
  expect(problemsOf(yaml('authorization'))[0]).toContain('must be the name of a header in small letters');
});
