import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeEmbeddingModel, writeRandomModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { chatLines, endedBatch, startBatch } from '../../support/batches.ts';
import type { Person } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/service.ts';
import { type Upstream, eventsOf, openStream, openUpstream, play } from '../../support/upstream.ts';
import { type Agented, makeAgent } from './agented.ts';
import { type Collected, collect } from './collected.ts';
import { readDocument, reportPdf } from './documents.ts';
import { type Studio, administrator, addAccount, callConsole, startStudio } from './studio.ts';

/** A service that people have worked with: every page has something to show. */
export interface Filled {
  readonly studio: Studio;
  readonly upstream: Upstream;
  readonly admin: Person;
  /** Somebody with the least role. */
  readonly user: Person;
  /** A conversation whose answer has headings, lists, code and a table. */
  readonly conversationId: string;
  readonly conversationTitle: string;
  /** Ids of documents: with pages, of rows, and one that could not be read. */
  readonly documents: { readonly pages: string; readonly rows: string; readonly broken: string };
  readonly collected: Collected;
  readonly agented: Agented;
  close(): Promise<void>;
}

/** Answered by the fake model server, with thoughts. */
export const THINKER = 'CORE-GOV-THINK';
export const keyName = '민원 안내';
export const toolServerName = 'stock';

/** Everything that Markdown brings with it. */
export const richAnswer = `## Tax and 지방세

An answer with **weight**, *stress*, \`inline code\` and [a link](https://example.org/a).

1. First, with a list in it
   - one
   - two
2. Second

- [x] done
- [ ] to do

> Said by somebody else.

\`\`\`python
from dataclasses import dataclass

@dataclass
class Tax:
    """지방세 한 건"""
    rate: float = 0.1  # the usual one

    def of(self, amount: int) -> int:
        return round(amount * self.rate) if amount > 0 else 0

print(f"a long line that goes on and on, so that it is wider than a phone: {Tax().of(1_234_567):,} won")
\`\`\`

| 항목 | Rate | Amount | Remark |
|------|-----:|-------:|:------:|
| 취득세 | 4.0 % | 12,000,000 | within sixty days |
| 재산세 | 0.25 % | 750,000 | in July and September |
| 자동차세 | – | 520,000 | |

---

Done.
`;

async function must(person: Person, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await callConsole(person, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function ask(person: Person, content: string): Promise<string> {
  const { id } = (await must(person, 'POST', '/conversations', { model: THINKER })) as { id: string };
  await must(person, 'POST', `/conversations/${id}/turns`, { content });
  return id;
}

async function fillKeys(admin: Person): Promise<void> {
  const key = {
    scopes: ['chat', 'embeddings', 'retrieval', 'agents', 'utilities'],
    allowed_models: null,
    requests_per_minute: null,
    tokens_per_minute: null,
    tool_stream: null,
    expires_at: null,
  };
  await must(admin, 'POST', '/keys', { ...key, name: keyName });
  await must(admin, 'POST', '/keys', {
    ...key,
    name: 'Search engine of the intranet',
    scopes: ['embeddings'],
    requests_per_minute: 60,
    expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  });
}

/** Batches: one that was answered, with a line that failed, and one whose file is wrong. */
async function fillBatches({ service }: Studio): Promise<void> {
  const done = await startBatch(service, `${chatLines(3)}\n${chatLines(1, 'wrong', { temperature: 9 })}`);
  const broken = await startBatch(service, `${chatLines(1)}\n{`);
  for (const { id } of [done, broken]) await endedBatch(service, id);
}

/** An HTTP service with a tool; nothing calls it. */
async function fillTools(admin: Person, url: string): Promise<void> {
  const paths = { '/items': { get: { operationId: 'list_items', responses: { 200: { description: 'All' } } } } };
  const description = { openapi: '3.1.0', info: { title: toolServerName, version: '1' }, paths };
  await must(admin, 'POST', '/agent-servers', {
    name: toolServerName,
    kind: 'http',
    url,
    description: JSON.stringify(description),
  });
}

async function fillUsage({ service }: Studio): Promise<void> {
  const call = (body: object, key = service.key) =>
    fetch(`${service.base}/v1/chat/completions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: '6 * 7' }], ...body }),
    }).then((response) => response.text());
  await Promise.all(
    [{ model: THINKER }, { model: 'CORE-GOV' }, { model: 'CORE-GOV', temperature: 9 }, { model: THINKER, stream: true }]
      .flatMap((body) => [body, body, body])
      .map((body) => call(body)),
  );
}

/** A browser whose console follows its scheme. */
export const themeOfBrowser = ({ service }: Studio) => ({
  storageState: {
    cookies: [],
    origins: [{ origin: service.base, localStorage: [{ name: 'studio.theme', value: 'system' }] }],
  },
});

/** Starts a service and fills it. */
export async function openFilled(): Promise<Filled> {
  const dataFolder = await temporaryFolder();
  const folder = join(dataFolder, 'models');
  await mkdir(folder, { recursive: true });
  writeRandomModel(join(folder, 'korean-7b-q4.gguf'));
  writeEmbeddingModel(join(folder, 'embedding-small.gguf'));
  const upstream = await openUpstream(['qwen3-32b', 'qwen3-8b']);
  upstream.plays(play({ reasoning: 'The person asks about taxes.\nA table helps.', text: richAnswer }));
  const studio = await startStudio({
    dataFolder,
    config: {
      probe: { enabled: false },
      network: { allow: ['127.0.0.1'] },
      engines: { gpu: { addresses: [upstream.url] } },
      models: { [THINKER]: { engines: [{ engine: 'gpu', model: 'qwen3-32b' }] } },
    },
  });
  const admin = await studio.signedIn(administrator.email, themeOfBrowser(studio));
  const email = 'user@example.org';
  await addAccount(studio, { email, name: '이사용', role: 'user' });
  const user = await studio.signedIn(email, themeOfBrowser(studio));
  await must(admin, 'POST', '/users', { email: 'developer@example.org', name: 'Dana Developer', role: 'developer' });
  await fillKeys(admin);
  await fillTools(admin, upstream.url);
  await must(admin, 'POST', '/tenants', {
    name: '세무과',
    email: 'tax@example.org',
    admin_name: '박세무',
  });
  const conversationTitle = 'What are 지방세?';
  const conversationId = await ask(admin, conversationTitle);
  await ask(admin, '회의록을 표로 정리해 주세요. 참석자와 결정 사항, 담당자, 기한이 한눈에 보이게 부탁합니다.');
  const csv = `Item,Count\n${Array.from({ length: 150 }, (_, at) => `Item ${at},${at}`).join('\n')}\n`;
  const documents = {
    pages: (await readDocument(admin, 'Report.pdf', reportPdf())).id,
    rows: (await readDocument(admin, 'Items.csv', csv)).id,
    broken: (await readDocument(admin, 'Broken.pdf', '%PDF-1.7 broken')).id,
  };
  const collected = await collect(admin);
  const agented = await makeAgent({ admin, user, collection: collected.id });
  await fillUsage(studio);
  await fillBatches(studio);
  await eventually(async () => {
    const { total } = (await must(admin, 'GET', '/usage')) as { total: { requests: number } };
    if (total.requests < 10) throw new Error(`${total.requests} requests are counted so far`);
  });
  return {
    studio,
    upstream,
    admin,
    user,
    conversationId,
    conversationTitle,
    documents,
    collected,
    agented,
    async close() {
      await studio.close();
      await upstream.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Streams a line every few milliseconds until the caller goes away. */
export const endless: Parameters<Upstream['plays']>[0] = async (call) => {
  const response = openStream(call);
  const [role, line] = eventsOf(call, { text: ['and on '] });
  response.write(role);
  let gone = false;
  void call.aborted.then(() => (gone = true));
  while (!gone) {
    response.write(line);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
