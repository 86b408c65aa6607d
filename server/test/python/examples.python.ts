import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExampleHouse, type Expected, openExamples } from '../support/examples.ts';

// The examples in Python, as they are printed, in the environments that have their packages.

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..', '..', '..', 'examples', 'python');
const environments = process.env['STUDIO_PYTHON'] ?? '';

const expected: Expected = {
  'agent.py': [/agent: Calculator\n.*144/],
  'agent_model.py': [/answer: .*144/],
  'agent_parts.py': [
    /text: 비품 목록: 1\ndata: \[.*연필.*\]\nfile: table\.csv \d+ bytes\nfile: documents\.md \d+ bytes/,
  ],
  'agent_plain.py': [/144 \[completed\]/],
  'batches.py': [/batch: completed 3 of 3/, /square-3: .*9/, /square-5: .*25/],
  'chat.py': [/thinking: .*144/s, /answer: .*144/, /built-in engine/],
  'documents.py': [
    /Heading: # 휴가/,
    /Text: 연차 휴가는 15일이다\./,
    /SUCCESS '# 휴가\\n\\n연차/,
    /written: '주간 보고\\n\\n1\. 현황\\n {2}가\. 인원/,
  ],
  'embeddings.py': [/near: 0\.\d\d far: -?0\.\d\d/],
  'mcp_plain.py': [/masked: 주민번호는 \*{6}-\*{7}입니다\./],
  'messages.py': [/thinking: .*144/s, /answer: .*144/, /tokens: \d+ \d+/, /= 8/, /ended: end_turn/],
  'models.py': [/CORE-GOV: chat/, /reranker: rerank/, /one: CORE-GOV-THINK/],
  'privacy.py': [/masked: \[PERSON_\w{8}\] 님, \[PHONE_\w{8}\]로/, /unmasked: 확인했습니다: 010-1234-5678/],
  'rerank.py': [/^0\.97 연차 휴가는 15일입니다\.\n0\.04 점심은/],
  'responses.py': [/answer: .*144/, /56/, /tokens: \d+/],
  'retrieval.py': [/document: ready chunks: 2/, /found: 휴가 \/ 연차 휴가는 15일이다\./],
  'speech.py': [/speech\.wav has \d{5,} bytes/, /No speech-to-text model is there/],
  'tools.py': [/call: get_weather \{"city":"서울"\}/, /answer: .*맑음/s],
};
const environmentOf = (name: string) => (name.startsWith('agent') && name !== 'agent_model.py' ? 'a2a-1' : 'openai');

let house: ExampleHouse;
beforeAll(async () => {
  house = await openExamples();
});
afterAll(() => house?.close());

test('every example has its expected output here', () => {
  const examples = readdirSync(folder).filter((name) => name.endsWith('.py'));
  expect(examples.toSorted()).toEqual(Object.keys(expected).toSorted());
});

test.concurrent.for(Object.entries(expected))('%s runs as printed', async ([name, patterns]) => {
  const { stdout } = await run(join(environments, environmentOf(name), 'bin/python'), [join(folder, name)], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['TMPDIR'],
      LANG: 'C.UTF-8',
      PYTHONPYCACHEPREFIX: join(environments, 'compiled'),
      ...house.envOf(name),
    },
  });
  for (const pattern of patterns) expect(stdout).toMatch(pattern);
});
