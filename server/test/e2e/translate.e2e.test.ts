import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type House, openHouse } from '../support/house.ts';
import { CHAT, chat, chatStream, join, jsonOf, send } from '../support/http.ts';
import { type Handler, type UpstreamCall, play } from '../support/upstream.ts';

// LLM42-Translate behind engines with its own template, and behind a general model, which does what the system message says.

const MODEL = 'LLM42-Translate';
const translations = { 'Korean (ko)': '안녕하세요.', 'American English (en-US)': 'Hello.', 'English (en)': 'Hello!' };

/** A model that translates when a system message tells it to, from one language into another, and chats otherwise. */
const general: Handler = (call) => play({ text: replyOf(call), finish: 'stop' })(call);
function replyOf({ json: { messages } }: UpstreamCall): string {
  const said = messages.flatMap(({ role, content }) =>
    role === 'system' && typeof content === 'string' ? [content] : [],
  );
  const system = said.join('\n');
  const into = /Translate the text of the user (?:from .+? )?into (.+?\))[.,].*translation only/.exec(system)?.[1];
  return translations[into as keyof typeof translations] ?? 'How can I help you today?';
}

let house: House;
beforeAll(async () => {
  house = await openHouse({
    models: {
      [MODEL]: { engines: [{ engine: 'fake', model: 'Qwen/Qwen3-32B' }] },
      'own-name': {
        engines: [{ engine: 'fake', model: 'vendor/own-name-7b' }],
        instructions: [{ keys: [], system: 'Be brief.' }],
      },
      told: {
        engines: [{ engine: 'fake', model: 'served', template: 'own' }],
        instructions: [{ keys: [], system: 'Be brief.' }],
      },
      other: { engines: [{ engine: 'fake', template: 'other' }], instructions: [{ keys: [], system: 'Be brief.' }] },
    },
  });
});
afterAll(() => house.close());
beforeEach(() => {
  house.upstream.reset();
  house.upstream.plays(general);
});

const ask = (chat_template_kwargs: Record<string, string> | undefined, more: Record<string, unknown> = {}) => ({
  model: MODEL,
  messages: [{ role: 'user', content: '안녕하세요.' }],
  ...(chat_template_kwargs ? { chat_template_kwargs } : {}),
  ...more,
});

test.each([
  [
    { source_language: 'ko', target_language: 'en-US' },
    'Hello.',
    /from Korean \(ko\) into American English \(en-US\)\./,
  ],
  [{ target_language: 'ko' }, '안녕하세요.', /user into Korean \(ko\)\./],
  [{ source_language: 'ja' }, '안녕하세요.', /from Japanese \(ja\) into Korean \(ko\), or into English \(en\)/],
  [undefined, '안녕하세요.', /user into Korean \(ko\), or into English \(en\)/],
])('a general model is told what the keys %j mean, whole and streamed', async (keys, reply, instruction) => {
  expect(jsonOf(await chat(house, ask(keys))).choices[0]?.message.content).toBe(reply);
  const { chunks } = await chatStream(house, ask(keys));
  expect(join(chunks).content).toBe(reply);
  for (const { json } of house.upstream.calls) {
    expect(json.model).toBe('Qwen/Qwen3-32B');
    expect(json.messages[0]).toMatchObject({ role: 'system', content: expect.stringMatching(instruction) as string });
    expect(json).not.toHaveProperty('chat_template_kwargs');
  }
});

test("the caller's own system message stays, and comes first", async () => {
  const messages = [
    { role: 'system', content: 'Use formal speech.' },
    { role: 'user', content: 'Hello.' },
  ];
  await chat(house, ask({ target_language: 'ko' }, { messages }));
  const [system, ...others] = house.upstream.one().json.messages;
  expect(system?.content).toMatch(/^Use formal speech\.\n\nYou are a translator\./);
  expect(others).toEqual(messages.slice(1));
});

test('a tag without a name stands for itself', async () => {
  await chat(house, ask({ target_language: 'xx' }));
  expect(house.upstream.one().json.messages[0]?.content).toContain('into xx.');
});

test.each([
  ['own-name', false],
  ['told', false],
  ['other', true],
])('whether %s has its own template is seen by its name, or said: instructed %s', async (model, instructed) => {
  await chat(house, { model, messages: [{ role: 'user', content: 'Hi' }] });
  expect(house.upstream.one().json.messages.some(({ role }) => role === 'system')).toBe(instructed);
});

test('a large text is translated, too', async () => {
  const content = '긴 글입니다. '.repeat(10_000);
  const response = await send(house, CHAT, {
    body: ask({ target_language: 'en-US' }, { messages: [{ role: 'user', content }] }),
  });
  expect(response.status).toBe(200);
  const { messages } = house.upstream.one().json;
  expect(messages[0]?.content).toContain('into American English (en-US).');
  expect(messages[1]?.content).toBe(content);
});
