import OpenAI from 'openai';
import OpenAIv6 from 'openai-v6';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { play } from '../support/upstream.ts';

let house: House;
beforeAll(async () => {
  house = await openSharedHouse();
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const clients = [
  ['openai', OpenAI],
  ['openai, the major before', OpenAIv6 as unknown as typeof OpenAI],
] as const;
const model = 'CORE-GOV';

describe.each(clients)('%s', (_name, Client) => {
  const open = () => new Client({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });

  test('keeps a conversation, and answers within it', async () => {
    covers('responses.conversation.turns', 'responses.conversation.crud');
    const { conversations, responses } = open();
    const begun = await conversations.create({
      metadata: { topic: 'sums' },
      items: [{ type: 'message', role: 'user', content: 'I like numbers' }],
    });
    expect(begun).toMatchObject({ object: 'conversation', metadata: { topic: 'sums' } });
    house.upstream.plays(play({ text: 'two' }));
    const first = await responses.create({ model, input: '1+1?', conversation: begun.id });
    expect(first).toMatchObject({ conversation: { id: begun.id } });
    house.upstream.plays(play({ text: ['fo', 'ur'] }));
    const stream = await responses.create({
      model,
      input: 'and 2+2?',
      conversation: { id: begun.id },
      store: false,
      stream: true,
    });
    for await (const event of stream)
      if (event.type === 'response.failed') throw new Error(event.response.error?.message);
    expect(house.upstream.calls.at(-1)?.json.messages).toMatchObject([
      { role: 'user', content: [{ text: 'I like numbers' }] },
      { role: 'user', content: [{ text: '1+1?' }] },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'and 2+2?' },
    ]);
    const told: string[] = [];
    for await (const item of conversations.items.list(begun.id, { order: 'asc', limit: 2 }))
      if (item.type === 'message') told.push(item.content.map((part) => ('text' in part ? part.text : '')).join(''));
    expect(told).toEqual(['I like numbers', '1+1?', 'two', 'and 2+2?', 'four']);
    expect(await conversations.update(begun.id, { metadata: { topic: 'more' } })).toMatchObject({
      metadata: { topic: 'more' },
    });
    expect(await conversations.retrieve(begun.id)).toMatchObject({ id: begun.id, metadata: { topic: 'more' } });
    expect(await conversations.delete(begun.id)).toEqual({
      id: begun.id,
      object: 'conversation.deleted',
      deleted: true,
    });
    await expect(conversations.retrieve(begun.id)).rejects.toMatchObject({ status: 404 });
    await expect(responses.create({ model, input: 'x', conversation: begun.id })).rejects.toMatchObject({
      status: 404,
      param: 'conversation',
    });
    // Responses that were part of it stay.
    expect((await responses.retrieve(first.id)).output_text).toBe('two');
  });

  test('adds, reads and deletes items', async () => {
    covers('responses.conversation.items');
    const { conversations, responses } = open();
    const { id } = await conversations.create();
    const added = await conversations.items.create(id, {
      items: [
        { role: 'user', content: 'a' },
        { type: 'message', role: 'assistant', content: 'b' },
      ],
    });
    expect(added).toMatchObject({
      object: 'list',
      has_more: false,
      data: [
        { type: 'message', role: 'user', status: 'completed', content: [{ type: 'input_text', text: 'a' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
      ],
    });
    const [one, two] = added.data;
    expect(await conversations.items.retrieve(one?.id ?? '', { conversation_id: id })).toEqual(one);
    const page = await conversations.items.list(id, { limit: 1 });
    expect(page).toMatchObject({ has_more: true, data: [{ id: two?.id }] });
    expect(await conversations.items.delete(one?.id ?? '', { conversation_id: id })).toMatchObject({ id });
    await expect(conversations.items.retrieve(one?.id ?? '', { conversation_id: id })).rejects.toMatchObject({
      status: 404,
    });
    await responses.create({ model, input: 'c', conversation: id });
    expect(house.upstream.one().json.messages).toMatchObject([
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
    ]);
  });

  test('answers within one in the background', async () => {
    const { conversations, responses } = open();
    const { id } = await conversations.create();
    house.upstream.plays(play({ text: 'later' }));
    const begun = await responses.create({ model, input: 'x', conversation: id, background: true });
    await eventually(async () => expect((await responses.retrieve(begun.id)).status).toBe('completed'));
    const { data } = await conversations.items.list(id, { order: 'asc' });
    expect(data).toMatchObject([
      { role: 'user', content: [{ text: 'x' }] },
      { role: 'assistant', content: [{ text: 'later' }] },
    ]);
  });

  test('is told what is wrong', async () => {
    covers('responses.conversation.refused');
    const { conversations, responses } = open();
    const { id } = await conversations.create();
    const both = { conversation: id, previous_response_id: 'resp_x' };
    await expect(responses.create({ model, input: 'x', ...both })).rejects.toMatchObject({ status: 400 });
    const many = Array.from({ length: 21 }, () => ({ role: 'user' as const, content: 'x' }));
    await expect(conversations.items.create(id, { items: many })).rejects.toMatchObject({
      status: 400,
      param: 'items',
    });
    const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v']));
    await expect(conversations.create({ metadata })).rejects.toMatchObject({ status: 400, param: 'metadata' });
    await expect(responses.create({ model, input: 'x', metadata })).rejects.toMatchObject({ param: 'metadata' });
    await expect(conversations.items.list(id, { after: 'msg_none' })).rejects.toMatchObject({ status: 400 });
    await expect(conversations.retrieve('conv_none')).rejects.toMatchObject({ status: 404 });
  });
});
