import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { openSpeechServer, type SpeechServer } from '../fakes/speech-server.ts';
import { askingAgent, chain, databaseOf, firstTenant, makeAgent, plainAgent } from '../support/a2a.ts';
import { type House, openHouse } from '../support/house.ts';
import { answer, play, type UpstreamCall } from '../support/upstream.ts';

// Clients and frameworks of Python, as their own documents use them, against one service whose model is scripted.

const environments = process.env['STUDIO_PYTHON'] ?? '';
/** Each program, and the environment that has its packages. */
const programs: Readonly<Record<string, string>> = {
  openai_client: 'openai',
  anthropic_client: 'openai',
  langchain_client: 'openai',
  agents_client: 'openai',
  cohere_client: 'openai',
  docling_client: 'docling',
  litellm_client: 'litellm',
  llama_index_client: 'llama-index',
  a2a_client: 'a2a-1',
  adk_client: 'a2a-1',
  maf_client: 'a2a-1',
  strands_client: 'a2a-03',
  crewai_client: 'crewai',
  schema_client: 'schemathesis',
};

/** Answers with a text, data, a file that it writes, and the files that it was given. */
const partsAgent = chain(
  { id: 'input', kind: 'input', files: true },
  { id: 'sum', kind: 'tool', tool: { kind: 'calculator' }, arguments: { expression: '6 * 7' } },
  {
    id: 'answer',
    kind: 'answer',
    text: 'Here: {{input.text}}',
    parts: [
      { kind: 'data', value: 'sum.result', name: 'sum' },
      { kind: 'document', name: 'note.md', content: 'Stock' },
      { kind: 'files', files: 'input.files' },
    ],
  },
);

let house: House;
let hears: SpeechServer;
let db: Database;
let tenant: TenantId;
const slugs: Record<string, string> = {};

/** A model that asks for the weather where it can, tells it once it knows, and knows one answer else. */
async function model(call: UpstreamCall): Promise<void> {
  const { json, path } = call;
  if (path.endsWith('/embeddings')) {
    const texts = [json['input']].flat();
    const data = texts.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0, 0, index] }));
    return answer(200, { object: 'list', data, usage: { prompt_tokens: 3, total_tokens: 3 } })(call);
  }
  if (path.endsWith('/rerank')) {
    const documents = json['documents'] as string[];
    const results = documents.map((text, index) => ({ index, relevance_score: text.length / 10 }));
    return answer(200, { id: 'x', results, usage: { total_tokens: 3 } })(call);
  }
  if (path.endsWith('/detokenize')) return answer(200, { prompt: 'Hi' })(call);
  if (json.model === 'LLM42') return answer(400, { error: { message: 'broken' } })(call);
  const { messages, tools } = json;
  if (messages.some(({ role }) => role === 'tool')) return play({ text: ['It is sunny ', 'in Seoul.'] })(call);
  if (tools !== undefined && tools !== null && tools.length > 0 && JSON.stringify(messages).includes('weather'))
    return play({ tools: [{ name: 'get_weather', arguments: ['{"city":', '"Seoul"}'] }] })(call);
  return play({ text: ['The answer ', 'is 42.'] })(call);
}

beforeAll(async () => {
  hears = await openSpeechServer();
  house = await openHouse({
    config: ({ url }) => ({
      limits: { requests_per_minute: null, tokens_per_minute: null },
      engines: {
        fake: { kind: 'openai', addresses: [url] },
        sound: { kind: 'openai', addresses: [hears.url] },
      },
    }),
    models: {
      whisper: { kind: 'transcription', engines: [{ engine: 'sound', model: 'whisper-1' }] },
      embedder: { kind: 'embedding', dimensions: 4, engines: [{ engine: 'fake' }] },
      ranker: { kind: 'rerank', engines: [{ engine: 'fake' }] },
    },
  });
  house.upstream.plays(model);
  db = await databaseOf(house);
  tenant = await firstTenant(db);
  slugs['plain'] = (await makeAgent(db, tenant, plainAgent(), { name: 'Plain', description: 'Answers' })).slug;
  slugs['asking'] = (await makeAgent(db, tenant, askingAgent, { name: 'Asking', description: 'Asks' })).slug;
  slugs['parts'] = (await makeAgent(db, tenant, partsAgent, { name: 'Parts', description: 'Brings files' })).slug;
  slugs['failing'] = (await makeAgent(db, tenant, plainAgent('LLM42'), { name: 'Failing', description: 'Fails' })).slug;
});
afterAll(async () => {
  await db?.close();
  await house?.close();
  await hears?.close();
});

/** Ends well where every check of a program does. */
async function checks(program: string, environment: string): Promise<void> {
  const file = join(import.meta.dirname, 'clients', `${program}.py`);
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['TMPDIR'],
    LANG: 'C.UTF-8',
    PYTHONPYCACHEPREFIX: join(environments, 'compiled'),
    STUDIO_BASE: house.base,
    STUDIO_KEY: house.key,
    STUDIO_TENANT: tenant,
    STUDIO_AGENTS: JSON.stringify(slugs),
  };
  const said = await new Promise<string>((resolve) => {
    const python = join(environments, environment, 'bin/python');
    execFile(python, [file], { env, timeout: 240_000, maxBuffer: 50_000_000 }, (error, out, err) =>
      resolve(error ? `${out}\n${err.slice(-3_000)}\n${error.message}` : out),
    );
  });
  const lines = said.split('\n');
  expect(
    lines.filter((line) => line.startsWith('not ok ')),
    said,
  ).toEqual([]);
  expect(lines.filter((line) => line.startsWith('ok ')).length, said).toBeGreaterThan(0);
  // A program that ended before its checks.
  expect(said).not.toContain('Command failed');
}

const { schema_client: schemas = '', ...clients } = programs;
// Each waits for the service for half of its time.
describe.concurrent('clients', () => {
  test.for(Object.entries(clients))('%s', ([program, environment]) => checks(program, environment));
});

// Calls everything, and removes what it finds.
test('schema_client', () => checks('schema_client', schemas));
