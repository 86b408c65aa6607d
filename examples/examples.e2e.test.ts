import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { covers } from '../server/test/requirements.ts';
import { databaseOf, firstTenant, makeAgent, plainAgent } from '../server/test/support/a2a.ts';
import { type Service, startService } from '../server/test/support/service.ts';

const run = promisify(execFile);
const folder = import.meta.dirname;

let service: Service;
let agent = '';
beforeAll(async () => {
  service = await startService();
  const db = await databaseOf(service);
  try {
    agent = (await makeAgent(db, await firstTenant(db), plainAgent(), { name: 'Calculator' })).slug;
  } finally {
    await db.close();
  }
});
afterAll(() => service.close());

/** What each example prints. Python's client is not everywhere, so that one is only read by people. */
const expected: Readonly<Record<string, readonly RegExp[]>> = {
  'chat.sh': [/"content":"12 × 12 = 144"/, /"role":"assistant","content":""/, /data: \[DONE\]/],
  'openai-chat.ts': [/thinking: .*240/s, /answer: .*= 36/, /built-in engine/],
  'openai-tools.ts': [/call: get_weather \{"city":"서울"\}/, /answer: .*맑음/s],
  'responses.ts': [/answer: .*144/, /in the background: .*56/, /items: user, assistant, user, assistant/],
  'ai-sdk.ts': [/= 8/, /thinking: .*3 \+ 5/s],
  'messages.ts': [/thinking: .*144/s, /answer: .*144/, /tokens: \d+ \d+/, /= 8/, /ended: end_turn/],
  'privacy.ts': [/masked: \[PERSON_\w{8}\] 님, \[PHONE_\w{8}\]로/, /unmasked: 확인했습니다: 010-1234-5678/],
  'retrieval.ts': [/document: ready chunks: 2/, /found: 휴가 \/ 연차 휴가는 15일이다\./],
  'speech.sh': [/speech\.wav has \d{5,} bytes/, /No speech-to-text model is there/],
  'agent.sh': [/"artifacts":\[\{"artifactId":"answer".*144/, /"final":true,"status":\{"state":"completed"/],
  'agent.ts': [/agent: Calculator/, /answer: .*144/, /session: \d+/],
  'mcp.sh': [/"name":"parse_document"/, /주민번호는 \*{6}-\*{7}입니다\./],
  'mcp.ts': [
    /revision: 2026-07-28/,
    /tools: search, fetch, list_collections, parse_document, mask_personal_values, agent_/,
    /read: .*# 휴가/,
    /progress: model: model/,
    /answer: '.*144/,
  ],
  'batches.ts': [/batch: completed \{ total: 3, completed: 3, failed: 0 \}/, /square-3: .*9/, /square-5: .*25/],
  'embeddings.ts': [/near: 0\.\d\d far: -?0\.\d\d/],
};

test('every example has its expected output here', () => {
  const examples = readdirSync(folder).filter((name) => /\.(?:sh|ts)$/.test(name) && !name.endsWith('.test.ts'));
  expect(examples.toSorted()).toEqual(Object.keys(expected).toSorted());
});

test.each(Object.entries(expected))('%s runs as printed', async (name, patterns) => {
  covers('examples.run');
  const { stdout } = await run(name.endsWith('.sh') ? 'sh' : process.execPath, [join(folder, name)], {
    env: { PATH: process.env['PATH'], STUDIO_URL: service.base, STUDIO_API_KEY: service.key, STUDIO_AGENT: agent },
  });
  for (const pattern of patterns) expect(stdout).toMatch(pattern);
});
