import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../server/test/requirements.ts';
import { type ExampleHouse, type Expected, openExamples } from '../server/test/support/examples.ts';

const run = promisify(execFile);
const folder = import.meta.dirname;
const filesOf = (language: string, ending: string) =>
  readdirSync(join(folder, language)).filter((name) => name.endsWith(ending));

let house: ExampleHouse;
beforeAll(async () => {
  house = await openExamples();
});
afterAll(() => house.close());

/** What each example prints. Those of Python: server/test/python/examples.python.ts. */
const javascript: Expected = {
  'agent.ts': [/agent: Calculator/, /answer: .*144/, /session: \d+/],
  'agent-model.ts': [/agents: true/, /answer: .*144/],
  'agent-parts.ts': [
    /takes: text\/plain, application\/json, application\/pdf … gives: text\/plain, application\/json, text\/csv, text\/markdown/,
    /text: 비품 목록: 1\ndata: \[\{"(?:item":"연필","count":3|count":3,"item":"연필")\}\]\nfile: table\.csv \d+ bytes\nfile: documents\.md \d+ bytes/,
  ],
  'ai-sdk.ts': [/= 8/, /thinking: .*3 \+ 5/s],
  'batches.ts': [/batch: completed \{ total: 3, completed: 3, failed: 0 \}/, /square-3: .*9/, /square-5: .*25/],
  'chat.ts': [/thinking: .*240/s, /answer: .*= 36/, /built-in engine/],
  'documents.ts': [
    /Heading: # 휴가/,
    /Text: 연차 휴가는 15일이다\./,
    /SUCCESS "# 휴가\\n\\n연차/,
    /written: "주간 보고\\n\\n1\. 현황\\n {2}가\. 인원/,
  ],
  'embeddings.ts': [/near: 0\.\d\d far: -?0\.\d\d/],
  'mcp.ts': [
    /revision: 2026-07-28/,
    /tools: search, fetch, list_collections, parse_document, mask_personal_values, agent_/,
    /read: .*# 휴가/,
    /progress: model: model/,
    /answer: '.*144/,
  ],
  'messages.ts': [/thinking: .*144/s, /answer: .*144/, /tokens: \d+ \d+/, /= 8/, /ended: end_turn/],
  'models.ts': [/CORE-GOV: chat/, /builtin-lexical: embedding/, /reranker: rerank/, /one: CORE-GOV-THINK/],
  'privacy.ts': [/masked: \[PERSON_\w{8}\] 님, \[PHONE_\w{8}\]로/, /unmasked: 확인했습니다: 010-1234-5678/],
  'rerank.ts': [/^0\.97 연차 휴가는 15일입니다\.\n0\.04 점심은/],
  'responses.ts': [/answer: .*144/, /in the background: .*56/, /items: user, assistant, user, assistant/],
  'retrieval.ts': [/document: ready chunks: 2/, /found: 휴가 \/ 연차 휴가는 15일이다\./],
  'speech.ts': [/speech\.wav has \d{5,} bytes/, /No speech-to-text model is there/],
  'tools.ts': [/call: get_weather \{"city":"서울"\}/, /answer: .*맑음/s],
};

const curl: Expected = {
  'agent.sh': [/"artifacts":\[\{"artifactId":"answer".*144/, /"final":true,"status":\{"state":"completed"/],
  'agent-model.sh': [/"id":"agent\//, /"content":"[^"]*144/],
  'agent-parts.sh': [/"kind":"data","data":\{"value":\[\{"item":"연필","count":3\}\]\}/, /"name":"table\.csv"/],
  'batches.sh': [/"status":"completed"/, /"custom_id":"square-3".*9/, /"custom_id":"square-5".*25/],
  'chat.sh': [/"content":"12 × 12 = 144"/, /"role":"assistant","content":""/, /data: \[DONE\]/],
  'documents.sh': [
    /"contents":"연차 휴가는 15일이다\."/,
    /"status":"SUCCESS".*# 휴가/s,
    /주간 보고.*1\. 현황\\n {2}가\. 인원/,
  ],
  'embeddings.sh': [/"object":"list".*"embedding":\[-?\d/s],
  'mcp.sh': [/"name":"parse_document"/, /주민번호는 \*{6}-\*{7}입니다\./],
  'messages.sh': [/"type":"message".*144/, /event: message_stop/, /\{"input_tokens":\d+\}/],
  'models.sh': [/"id":"CORE-GOV"/, /\{"id":"CORE-GOV-THINK"/],
  'privacy.sh': [/"masked_text":"\[PHONE_\w{8}\]로/, /"unmasked_text":"확인했습니다: 010-1234-5678"/],
  'rerank.sh': [/"relevance_score":0\.97,"document":\{"text":"연차 휴가는 15일입니다\."\}/],
  'responses.sh': [/144/, /event: response\.completed/],
  'retrieval.sh': [/document: ready/, /"content":"[^"]*연차 휴가는 15일이다/],
  'speech.sh': [/speech\.wav has \d{5,} bytes/, /No speech-to-text model is there/],
  'tools.sh': [/"name":"get_weather"/, /data: \[DONE\]/, /"content":"[^"]*맑음/],
};

const hasCurl = spawnSync('curl', ['--version']).status === 0;

async function runs(program: string, language: string, name: string, patterns: readonly RegExp[]): Promise<void> {
  covers('examples.run');
  const { stdout } = await run(program, [join(folder, language, name)], {
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...house.envOf(name) },
    maxBuffer: 20_000_000,
  });
  for (const pattern of patterns) expect(stdout).toMatch(pattern);
}

test('every example has its expected output here, and stands in the table of the README', () => {
  expect(filesOf('.', '').toSorted()).toEqual([
    'README.md',
    'agents',
    'curl',
    'examples.e2e.test.ts',
    'javascript',
    'python',
  ]);
  expect(filesOf('javascript', '.ts').toSorted()).toEqual(Object.keys(javascript).toSorted());
  expect(filesOf('curl', '.sh').toSorted()).toEqual(Object.keys(curl).toSorted());
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  for (const language of ['javascript', 'curl', 'python', 'agents'])
    for (const name of filesOf(language, '')) expect(readme).toContain(`(${language}/${name})`);
});

describe('JavaScript', () => {
  test.for(Object.entries(javascript))('%s runs as printed', ([name, patterns]) =>
    runs(process.execPath, 'javascript', name, patterns),
  );
});

// A machine without curl misses these; the reason stands in the name of the group.
describe.runIf(hasCurl)('curl', () => {
  test.for(Object.entries(curl))('%s runs as printed', ([name, patterns]) => runs('sh', 'curl', name, patterns));
});
if (!hasCurl) console.warn('There is no curl here: its examples are not run.');
