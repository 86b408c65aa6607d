import { AgentSource } from '@ai-studio/contract/console/agent-talks.ts';
import { ConversationFile, ConversationFiles } from '@ai-studio/contract/console/conversation-parts.ts';
import { type Conversation, TurnEvent } from '@ai-studio/contract/console/conversations.ts';
import { ConsoleCollections } from '@ai-studio/contract/console/retrieval.ts';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { temporaryFolder } from '../support/postgres.ts';
import { openUpstream, play, type Upstream } from '../support/upstream.ts';

// Files and collections of conversations: read by the parser of the service, in the prompt whole or searched, cited with their page;
// pictures for models that take them; and nobody else's.

let upstream: Upstream;
let house: ConsoleHouse;
let ours: TenantId;
let ada: SignedInBrowser;
let dev: SignedInBrowser;
let boss: SignedInBrowser;
let stranger: SignedInBrowser;

/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=',
  'base64',
);

beforeAll(async () => {
  upstream = await openUpstream(['reader', 'seer']);
  const file = join(temporaryFolder(), 'studio.yaml');
  const engines = [{ engine: 'fake' }];
  writeFileSync(
    file,
    JSON.stringify({
      engines: { fake: { addresses: [upstream.url] } },
      models: {
        reader: { kind: 'chat', context_length: 8_192, engines },
        seer: { kind: 'chat', images: true, engines },
      },
      limits: { requests_per_minute: 10_000 },
    }),
  );
  house = await openConsoleHouse({ STUDIO_CONFIG: file });
  ours = await makeTenant(house, 'Ours');
  ada = await personOf(house, ours, 'user', 'Ada');
  dev = await personOf(house, ours, 'developer', 'Dev');
  boss = await personOf(house, ours, 'administrator', 'Boss');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator', 'Stranger');
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  await house?.close();
  await upstream?.close();
});

async function give(who: SignedInBrowser, name: string, content: string | Uint8Array) {
  const bytes = new Uint8Array(Buffer.from(content as string));
  const response = await fetch(
    `${house.base}/console/api/conversation-files?name=${encodeURIComponent(name)}&size=${bytes.length}`,
    {
      method: 'POST',
      headers: { cookie: who.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
      body: bytes,
    },
  );
  return { status: response.status, body: await response.json() };
}
const described = async (who: SignedInBrowser, id: string) =>
  ConversationFiles.parse((await who.get(`/conversation-files?ids=${id}`)).json()).items[0];

/** Gives a file and waits until it is read, or is not. */
async function read(who: SignedInBrowser, name: string, content: string | Uint8Array): Promise<ConversationFile> {
  const { status, body } = await give(who, name, content);
  expect(status, JSON.stringify(body)).toBe(201);
  const { id } = ConversationFile.parse(body);
  return eventually(async () => {
    const file = await described(who, id);
    expect(file?.state).not.toBe('reading');
    return file as ConversationFile;
  });
}
const begin = async (who: SignedInBrowser, more: object = {}) => {
  const made = await who.post('/conversations', { model: 'reader', ...more });
  expect(made.status, made.text).toBe(201);
  return made.json<Conversation>().id;
};
const get = async (who: SignedInBrowser, id: string) => (await who.get(`/conversations/${id}`)).json<Conversation>();
const ask = async (who: SignedInBrowser, id: string, turn: object) => {
  const answer = await who.post(`/conversations/${id}/turns`, turn);
  expect(answer.status, answer.text).toBe(200);
  return answer.text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => TurnEvent.parse(JSON.parse(event.slice(6))));
};
const endOf = (events: readonly TurnEvent[]) => {
  const end = events.at(-1);
  if (end?.type !== 'end') throw new Error('The answer did not end');
  return end.answer;
};
/** The last message that the model was sent, as text. */
const asked = () => JSON.stringify(upstream.one().json.messages.at(-1)?.content);

/** A document of two pages. */
function twoPages(): Uint8Array {
  const writer = new PdfWriter();
  writer.page().text(72, 72, 'Holidays', { size: 20, bold: true }).text(72, 110, 'There are fifteen days.');
  writer.page().text(72, 72, 'Pensions', { size: 20, bold: true }).text(72, 110, 'They begin at sixty-five.');
  return writer.bytes();
}

describe('files of a message', () => {
  test('are read, go into the prompt whole where they are short, and answers cite their pages', async () => {
    const pdf = await read(ada, 'rules.pdf', twoPages());
    expect(pdf).toMatchObject({ kind: 'document', state: 'ready', pages: 2, error: null });
    const id = await begin(ada);
    upstream.plays(play({ text: 'At sixty-five [2].' }));
    const events = await ask(ada, id, { content: 'When do pensions begin?', files: [pdf.id] });
    expect(events[0]).toMatchObject({
      type: 'start',
      question: { files: [{ id: pdf.id, name: 'rules.pdf', kind: 'document' }] },
    });
    expect(asked()).toContain('There are fifteen days.');
    expect(asked()).toContain('[2] rules.pdf, p. 2');
    const answer = endOf(events);
    expect(answer.citations).toEqual([{ number: 2, document_name: 'rules.pdf', page: 2 }]);
    // The page that is cited, as a picture, for its person alone.
    const path = `/conversations/${id}/messages/${answer.id}/sources/2`;
    const source = AgentSource.parse((await ada.get(path)).json());
    expect(source).toMatchObject({ page: 2, pictures: true });
    expect(source.citation.content).toContain('sixty-five');
    expect((await ada.get(`${path}/picture?width=200`)).headers.get('content-type')).toMatch(/^image\//);
    expect((await ada.get(`${path}/text`)).text).toContain('sixty-five');
    for (const other of [boss, stranger, dev]) expectRefused(await other.get(path), 404);
    expectRefused(await ada.get(`/conversations/${id}/messages/${answer.id}/sources/1`), 404);

    // Later questions know the file too; marks of earlier answers are not mixed up with theirs.
    upstream.reset();
    upstream.plays(play({ text: 'Fifteen [1].' }));
    await ask(ada, id, { content: 'And how many days of holiday are there?' });
    expect(asked()).toContain('There are fifteen days.');
    expect(JSON.stringify(upstream.one().json.messages)).not.toContain('At sixty-five [2]');
    expect((await ada.get(`/conversations/${id}/export?format=md`)).text).toContain('- [2] rules.pdf, p. 2');
  });

  test('are searched where they are long', async () => {
    const chapters = Array.from(
      { length: 60 },
      (_, at) =>
        `# 제${at + 1}장 부서 ${at + 1}\n\n부서 ${at + 1}의 회의는 ${at + 1}층에서 합니다. ${'업무 내용을 설명합니다. '.repeat(60)}`,
    );
    chapters[40] = `# 특별 규정\n\n안식월은 근속 십 년마다 한 달을 줍니다. ${'자세한 내용은 따로 정합니다. '.repeat(30)}`;
    const long = await read(ada, '규정집.md', chapters.join('\n\n'));
    const id = await begin(ada);
    upstream.plays(play({ text: '한 달입니다 [1].' }));
    const answer = endOf(await ask(ada, id, { content: '안식월은 근속 몇 년마다 얼마나 주나요?', files: [long.id] }));
    expect(asked()).toContain('안식월은 근속 십 년마다 한 달을 줍니다.');
    expect(asked()).not.toContain('제60장');
    expect(answer.citations).toMatchObject([{ number: 1, document_name: '규정집.md' }]);
  });

  test('other words for a question keep its files, and another answer does', async () => {
    const file = await read(ada, 'note.txt', 'The password of the day is swordfish.');
    const id = await begin(ada);
    upstream.plays(play({ text: 'swordfish [1]' }));
    await ask(ada, id, { content: 'What is the password?', files: [file.id] });
    const [question, answer] = (await get(ada, id)).messages;
    upstream.reset();
    await ask(ada, id, { content: 'Tell me the password', replace_from: question?.id });
    expect(asked()).toContain('swordfish');
    upstream.reset();
    await ask(ada, id, { replace_from: answer?.id, model: 'seer' });
    expect(asked()).toContain('swordfish');
    const shown = await get(ada, id);
    expect(shown.messages[1]).toMatchObject({ model: 'seer', versions: [answer?.id, expect.any(String)] });
    expect(shown.model).toBe('reader');
  });

  test('go along only once they are read, and only those that can be', async () => {
    const empty = await read(ada, 'empty.md', '  \n');
    expect(empty).toMatchObject({ state: 'failed', error: expect.any(String) });
    const id = await begin(ada);
    const refused = await ada.post(`/conversations/${id}/turns`, { content: 'x', files: [empty.id] });
    expectRefused(refused, 422, 'chat_file_unreadable');
    expectRefused(
      await ada.post(`/conversations/${id}/turns`, { content: 'x', files: ['0'.repeat(32)] }),
      404,
      'chat_file_gone',
    );
    expect((await get(ada, id)).messages).toEqual([]);
    const { status } = await give(ada, 'run.exe', Buffer.from('MZ\x90\0\x03\0\0\0'));
    expect([415, 422]).toContain(status);
  });
});

describe('the guard of personal values', () => {
  const RRN = '900101-1234568';

  test('keeps those of files from models and from the database, and their person reads them', async () => {
    const policy = (await boss.get('/privacy/policy')).json();
    const set = (mode: string) => boss.send('PUT', '/privacy/policy', { ...policy, mode });
    const file = await read(ada, 'person.txt', `The number of the applicant is ${RRN}.`);
    const id = await begin(ada);
    try {
      expect((await set('mask')).status).toBe(200);
      upstream.plays(async (call) => {
        const token = /\[RRN_[0-9A-Z]{8}\]/.exec(JSON.stringify(call.json.messages))?.[0] ?? 'none';
        await play({ text: `It is ${token} [1].` })(call);
      });
      const answer = endOf(await ask(ada, id, { content: 'What is the number?', files: [file.id] }));
      expect(upstream.one().text).not.toContain(RRN);
      expect(answer.content).toBe(`It is ${RRN} [1].`);
      const rows = await house.db.query
        .selectFrom('conversation_messages')
        .select(['content', 'citations'])
        .where('conversation_id', '=', id)
        .execute();
      expect(JSON.stringify(rows)).not.toContain(RRN);
      expect(JSON.stringify(rows)).toContain('[RRN_');
      const source = await ada.get(`/conversations/${id}/messages/${answer.id}/sources/1`);
      expect(AgentSource.parse(source.json()).citation.content).toContain(RRN);
      // Where the policy refuses, nothing reaches a model, and the message is not taken.
      expect((await set('refuse')).status).toBe(200);
      upstream.reset();
      const refused = await ada.post(`/conversations/${id}/turns`, { content: 'And again?', files: [file.id] });
      expectRefused(refused, 422, 'personal_values');
      expect(upstream.calls).toHaveLength(0);
      expect((await get(ada, id)).messages).toHaveLength(2);
    } finally {
      await set(String(policy['mode']));
    }
  });
});

describe('pictures', () => {
  test('go to models that take them, with a clear word otherwise', async () => {
    const picture = await read(ada, 'photo.png', PNG);
    expect(picture).toMatchObject({ kind: 'picture', state: 'ready' });
    const shown = await ada.get(`/conversation-files/${picture.id}/picture`);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(shown.headers.get('content-security-policy')).toContain('sandbox');
    const blind = await begin(ada);
    const refused = await ada.post(`/conversations/${blind}/turns`, { content: 'What is this?', files: [picture.id] });
    expectRefused(refused, 422, 'model_sees_no_pictures');
    const id = await begin(ada, { model: 'seer' });
    upstream.plays(play({ text: 'A white dot.' }));
    await ask(ada, id, { content: 'What is this?', files: [picture.id] });
    expect(upstream.one().json.messages.at(-1)?.content).toEqual([
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` } },
    ]);
    // The next question still shows it; a model that takes none is not shown it.
    upstream.reset();
    await ask(ada, id, { content: 'And its colour?' });
    expect(JSON.stringify(upstream.one().json.messages)).toContain('image_url');
    upstream.reset();
    await ask(ada, id, { content: 'Say more', model: 'reader' });
    expect(JSON.stringify(upstream.one().json.messages)).not.toContain('image_url');
  });
});

describe('collections of a conversation', () => {
  test('are chosen, searched and cited; what is not there for a person is refused', async () => {
    const made = await dev.post('/collections', { collection_name: '인사 규정', visibility: 'tenant' });
    const { collection_id: collection } = made.json<{ collection_id: string }>();
    const content = '# 휴가\n\n연차는 열다섯 날입니다.';
    const added = await fetch(
      `${house.base}/console/api/collections/${collection}/documents?name=leave.md&size=${Buffer.byteLength(content)}`,
      {
        method: 'POST',
        headers: { cookie: dev.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
        body: content,
      },
    );
    expect(added.status).toBe(201);
    const { document_id: document } = (await added.json()) as { document_id: string };
    await eventually(async () =>
      expect((await dev.get(`/collections/${collection}/documents/${document}`)).json<{ state: string }>().state).toBe(
        'ready',
      ),
    );
    const id = await begin(ada, { collections: [collection] });
    expect((await get(ada, id)).collections).toEqual([{ id: collection, name: '인사 규정' }]);
    upstream.plays(play({ text: '열다섯 날입니다 [1].' }));
    const answer = endOf(await ask(ada, id, { content: '연차는 며칠인가요?' }));
    expect(asked()).toContain('연차는 열다섯 날입니다.');
    expect(answer.citations).toEqual([{ number: 1, document_name: 'leave.md', page: null }]);
    const source = await ada.get(`/conversations/${id}/messages/${answer.id}/sources/1`);
    expect(AgentSource.parse(source.json()).citation).toMatchObject({ document_id: document });

    // Another choice, none, and one that is not theirs.
    expect((await ada.patch(`/conversations/${id}`, { collections: [] })).status).toBe(200);
    upstream.reset();
    await ask(ada, id, { content: 'And now?' });
    expect(asked()).not.toContain('passages');
    const secret = (await boss.post('/collections', { collection_name: 'Secret' })).json<{ collection_id: string }>();
    for (const other of [secret.collection_id, '0'.repeat(32)]) {
      expectRefused(await ada.patch(`/conversations/${id}`, { collections: [other] }), 404);
      expectRefused(await ada.post('/conversations', { model: 'reader', collections: [other] }), 404);
    }
    // One that goes is passed over.
    expect((await ada.patch(`/conversations/${id}`, { collections: [collection] })).status).toBe(200);
    expect((await dev.delete(`/collections/${collection}`)).status).toBe(204);
    expect((await get(ada, id)).collections).toEqual([]);
    upstream.reset();
    await ask(ada, id, { content: 'Still there?' });
    expect(asked()).not.toContain('passages');
  });
});

describe('files of a person', () => {
  test('are nobody else’s, and no collection of anybody shows them', async () => {
    const file = await read(ada, 'mine.txt', 'Only mine.');
    for (const other of [boss, stranger, dev]) {
      expect((await other.get(`/conversation-files?ids=${file.id}`)).json()).toEqual({ items: [] });
      expectRefused(await other.delete(`/conversation-files/${file.id}`), 404);
      expectRefused(await other.get(`/conversation-files/${file.id}/picture`), 404);
      const theirs = await begin(other);
      const refused = await other.post(`/conversations/${theirs}/turns`, { content: 'x', files: [file.id] });
      expectRefused(refused, 404, 'chat_file_gone');
    }
    const { collection_id: hidden } = await house.db.query
      .selectFrom('conversation_files')
      .select('collection_id')
      .where('id', '=', file.id)
      .executeTakeFirstOrThrow();
    for (const who of [ada, boss, dev]) {
      const { items } = ConsoleCollections.parse((await who.get('/collections?size=100')).json());
      expect(items.map(({ collection_id: one }) => one)).not.toContain(hidden);
      expectRefused(await who.get(`/collections/${hidden}`), 404);
      expectRefused(await who.post('/collections/search', { collection_id: hidden, query: 'mine' }), 404);
    }
    expectRefused(await ada.post('/conversations', { model: 'reader', collections: [hidden] }), 404);
  });

  test('are removed before they were sent, stay with their message, and go with their conversation', async () => {
    const unsent = await read(ada, 'unsent.txt', 'Never sent.');
    expect((await ada.delete(`/conversation-files/${unsent.id}`)).status).toBe(204);
    expect(await described(ada, unsent.id)).toBeUndefined();
    const sent = await read(ada, 'sent.txt', 'Sent.');
    const id = await begin(ada);
    upstream.plays(play({ text: 'Yes.' }));
    await ask(ada, id, { content: 'Is it sent?', files: [sent.id] });
    expectRefused(await ada.delete(`/conversation-files/${sent.id}`), 409);
    expect((await ada.delete(`/conversations/${id}`)).status).toBe(204);
    expect(await described(ada, sent.id)).toBeUndefined();
    const documents = await house.db.query
      .selectFrom('documents')
      .select('id')
      .where('name', '=', 'sent.txt')
      .execute();
    expect(documents).toEqual([]);
  });

  test('stay with the conversation that brought them', async () => {
    const file = await read(ada, 'own.txt', 'Of the first.');
    const first = await begin(ada);
    upstream.plays(play({ text: 'Yes.' }));
    await ask(ada, first, { content: 'Is it there?', files: [file.id] });
    const second = await begin(ada);
    const taken = await ada.post(`/conversations/${second}/turns`, { content: 'And here?', files: [file.id] });
    expectRefused(taken, 404, 'chat_file_gone');
    expect((await get(ada, second)).messages).toEqual([]);
    expect((await ada.delete(`/conversations/${second}`)).status).toBe(204);
    expect(await described(ada, file.id)).toMatchObject({ state: 'ready' });
  });

  test('are known until they are removed, also when their person is no more', async () => {
    const eve = await personOf(house, ours, 'user', 'Eve');
    const picture = await read(eve, 'eve.png', PNG);
    expect((await boss.delete(`/users/${eve.userId}`)).status).toBe(204);
    const row = house.db.query.selectFrom('conversation_files').select('conversation_id').where('id', '=', picture.id);
    expect(await row.executeTakeFirst()).toEqual({ conversation_id: null });
  });
});
