import { type AgentRun, RunStreamEvent } from '@ai-studio/contract/console/agent-talks.ts';
import { AgentRunTrace } from '@ai-studio/contract/console/agent-traces.ts';
import { RunFile } from '@ai-studio/contract/agents/run.ts';
import { Document } from '@ai-studio/contract/retrieval/document.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paragraph as wordParagraph, writeDocx } from '@ai-studio/documents/test/docx.ts';
import { paragraph as hwpParagraph, writeHwp } from '@ai-studio/documents/test/hwp-writer/index.ts';
import { paragraph as hwpxParagraph, writeHwpx } from '@ai-studio/documents/test/hwpx.ts';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { documents, questions } from '../support/knowledge.ts';
import { covers } from '../requirements.ts';
import { deploy, makeAgent } from '../support/agents.ts';
import { type ConsoleHouse, openConsoleHouse } from '../support/console.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { within } from '../support/retrieval.ts';

// The four templates as they are made, on the engine that is always there, with thirty documents that people uploaded.

let house: ConsoleHouse;
let dev: SignedInBrowser;
let chief: SignedInBrowser;
let user: SignedInBrowser;
let collection: string;
/** Names of the documents, in their order. */
const names: string[] = [];

/** A document in a format of those that people upload: each in its turn. */
function written(text: string, index: number): { name: string; bytes: Buffer } {
  const lines = text.split('\n');
  const latin = /^[\x20-\x7e\n]*$/.test(text);
  const name = (ending: string) => `${String(index + 1).padStart(2, '0')}.${ending}`;
  if (latin && !text.includes('|')) {
    const writer = new PdfWriter();
    // Lines that fit on a page.
    const short = lines.flatMap((one) => one.match(/.{1,80}(?:\s|$)/g) ?? [one]);
    writer.page().lines(
      72,
      90,
      short.map((one) => one.trim()),
    );
    return { name: name('pdf'), bytes: writer.bytes() };
  }
  if (!text.includes('|') && index % 4 === 0)
    return { name: name('hwp'), bytes: writeHwp({ sections: [lines.map((one) => hwpParagraph(one))] }) };
  if (!text.includes('|') && index % 4 === 1)
    return { name: name('hwpx'), bytes: writeHwpx({ sections: [lines.map((one) => hwpxParagraph(one)).join('')] }) };
  if (!text.includes('|') && index % 4 === 2)
    return { name: name('docx'), bytes: writeDocx({ body: lines.map((one) => wordParagraph(one)).join('') }) };
  return { name: name('md'), bytes: Buffer.from(text) };
}

async function send(who: SignedInBrowser, path: string, name: string, bytes: Buffer): Promise<unknown> {
  const response = await fetch(
    `${house.base}/console/api${path}?name=${encodeURIComponent(name)}&size=${bytes.length}`,
    {
      method: 'POST',
      headers: { cookie: who.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    },
  );
  expect(response.status).toBe(201);
  return response.json();
}

beforeAll(async () => {
  house = await openConsoleHouse();
  const tenant = await makeTenant(house, 'Ours');
  dev = await personOf(house, tenant, 'developer');
  chief = await personOf(house, tenant, 'administrator');
  user = await personOf(house, tenant, 'user');
  const made = await dev.post('/collections', { collection_name: '규정' });
  collection = made.json<{ collection_id: string }>().collection_id;
  for (const [index, text] of documents.entries()) {
    const { name, bytes } = written(text, index);
    names.push(name);
    await send(dev, `/collections/${collection}/documents`, name, bytes);
  }
  await within(async () => {
    const { items } = (await dev.get(`/collections/${collection}/documents?size=100`)).json<{ items: unknown[] }>();
    const states = items.map((item) => Document.parse(item).state);
    expect(states).toEqual(documents.map(() => 'ready'));
  });
});
afterAll(() => house.close());

/** What a run told: its answer piece by piece, and the run as it ended. */
async function say(who: SignedInBrowser, root: string, body: object): Promise<{ run: AgentRun; told: string }> {
  const answer = await who.post(`${root}/runs`, body);
  expect(answer.status, answer.text).toBe(200);
  const events = answer.text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => RunStreamEvent.parse(JSON.parse(line.slice(6))));
  const last = events.at(-1);
  if (last?.type !== 'run') throw new Error(answer.text);
  expect(last.run.failure).toBeNull();
  expect(last.run.state).toBe('completed');
  const told = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  expect(told).toBe(last.run.answer);
  return { run: last.run, told };
}

test('the documents come in five formats', () => {
  expect(new Set(names.map((name) => name.split('.')[1]))).toEqual(new Set(['hwp', 'hwpx', 'docx', 'pdf', 'md']));
});

describe('templates that are deployed as they are made', () => {
  const deployed = async (template: string) =>
    deploy(dev, chief, await makeAgent(dev, { name: template, template, collections: [collection] }));
  const rootOf = ({ slug }: { slug: string }) => `/deployed-agents/${slug}`;

  test('a plain assistant answers', async () => {
    covers('agents.templates.work');
    const { run } = await say(user, rootOf(await deployed('plain_assistant')), { text: 'What is 6 * 7?' });
    expect(run.answer).toContain('42');
  });

  test('a question whose answer stands in one of thirty documents is answered with the right citation', async () => {
    covers('agents.templates.knowledge');
    const root = rootOf(await deployed('knowledge_answer'));
    let session: number | undefined;
    const wrong: string[] = [];
    for (const [question, answer, document] of questions) {
      const { run } = await say(user, root, {
        text: question,
        ...(session === undefined ? {} : { session_id: session }),
      });
      // Each question for itself, but for the first two.
      session = session === undefined ? run.session_id : undefined;
      const cited = run.citations.map(({ document_name: name }) => name);
      if (!answer.test(run.answer) || !cited.includes(names[document - 1] ?? ''))
        wrong.push(`${question} → ${run.answer} ${cited.join()} (${names[document - 1]})`);
      for (const { number } of run.citations) expect(run.answer).toContain(`[${number}]`);
    }
    // That engine takes sentences out of passages. How well with documents it does not know: bench/answers.
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(1);
  });

  test('a document is read and worked with; without one it is asked for', async () => {
    const agent = await deployed('document_processing');
    const root = rootOf(agent);
    const [index] = documents.flatMap((text, at) => (text.includes('이서준') ? [at] : []));
    const { name, bytes } = written(documents[index ?? 0] ?? '', 4);
    const file = RunFile.parse(await send(user, `${root}/files`, name, bytes));
    const { run } = await say(user, root, { text: '보안 사고가 나면 누구에게 알려야 하나요?', files: [file.id] });
    expect(run.answer).toContain('이서준');
    expect(run.files).toMatchObject([{ name }]);
    // The next question is about the same document.
    const next = await say(user, root, { text: '비밀번호는 얼마나 자주 바꿔야 합니까?', session_id: run.session_id });
    expect(next.run.answer).toContain('90일');
    expect(next.run.files).toEqual([]);
    expect((await say(user, root, { text: 'Hello' })).run.answer).toContain('Please attach a document');
  });

  test('a request is split, each part looked up, and one answer written', async () => {
    const agent = await deployed('multi_step');
    const { run } = await say(dev, `/agents/${agent.id}`, { text: '구내식당 위치는 어디이고 점심 가격은 얼마인가요?' });
    const trace = AgentRunTrace.parse((await dev.get(`/agents/${agent.id}/runs/${run.id}`)).json());
    const steps = trace.steps.filter(({ state }) => state === 'done').map(({ step }) => step);
    expect(steps).toEqual(
      expect.arrayContaining(['plan', 'each[0]/search', 'each[0]/note', 'each', 'write', 'answer']),
    );
    expect(run.answer).not.toBe('');
    expect(run.usage.total_tokens).toBeGreaterThan(0);
  });
});
