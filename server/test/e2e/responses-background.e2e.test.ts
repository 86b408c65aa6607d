import OpenAI from 'openai';
import OpenAIv6 from 'openai-v6';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { answer, eventsOf, openStream, play, sse, type UpstreamCall } from '../support/upstream.ts';

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

/** A model server that says the first piece at once, and the rest when it is told to. */
function heldServer(pieces: readonly string[]) {
  const go = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const handler = async (call: UpstreamCall) => {
    void call.aborted.then(aborted.resolve);
    const events = eventsOf(call, { text: pieces });
    const response = openStream(call);
    response.write(events.slice(0, 2).join(''));
    await go.promise;
    response.end(events.slice(2).join(''));
  };
  return { handler, go: () => go.resolve(), aborted: aborted.promise };
}

const numbersOf = (events: readonly ResponseStreamEvent[]) => events.map(({ sequence_number: at }) => at);
const textOf = (events: readonly ResponseStreamEvent[]) =>
  events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : [])).join('');

describe.each(clients)('%s', (_name, Client) => {
  const open = () => new Client({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });
  const ended = (id: string) =>
    eventually(async () => {
      const response = await open().responses.retrieve(id);
      expect(['queued', 'in_progress']).not.toContain(response.status);
      return response;
    });

  test('asks for an answer, and comes for it later', async () => {
    covers('responses.background.poll', 'responses.background.status');
    const held = heldServer(['나중', '에']);
    house.upstream.plays(held.handler);
    const { responses } = open();
    const begun = await responses.create({ model, input: 'x', background: true, metadata: { from: 'test' } });
    expect(begun).toMatchObject({ status: 'queued', background: true, output: [], metadata: { from: 'test' } });
    await eventually(async () => expect((await responses.retrieve(begun.id)).status).toBe('in_progress'));
    await expect(responses.create({ model, input: 'y', previous_response_id: begun.id })).rejects.toMatchObject({
      status: 400,
      param: 'previous_response_id',
    });
    held.go();
    const done = await ended(begun.id);
    expect(done).toMatchObject({ id: begun.id, status: 'completed', background: true, usage: { total_tokens: 18 } });
    expect(done.output_text).toBe('나중에');
    house.upstream.plays(play({ text: 'next' }));
    await responses.create({ model, input: 'y', previous_response_id: begun.id });
    expect(house.upstream.calls.at(-1)?.json.messages).toMatchObject([
      { role: 'user', content: 'x' },
      { role: 'assistant', content: '나중에' },
      { role: 'user', content: 'y' },
    ]);
  });

  test('reads the stream of one, leaves it, and goes on with it behind any event', async () => {
    covers('responses.background.stream', 'responses.background.resume');
    const held = heldServer(['하나 ', '둘 ', '셋']);
    house.upstream.plays(held.handler);
    const { responses } = open();
    const first: ResponseStreamEvent[] = [];
    let id = '';
    for await (const event of await responses.create({ model, input: 'x', background: true, stream: true })) {
      first.push(event);
      if (event.type === 'response.created') ({ id } = event.response);
      if (event.type === 'response.output_text.delta') break;
    }
    expect(first.slice(0, 3).map(({ type }) => type)).toEqual([
      'response.created',
      'response.queued',
      'response.in_progress',
    ]);
    const rest: ResponseStreamEvent[] = [];
    const last = numbersOf(first).at(-1) ?? 0;
    const going = (async () => {
      for await (const event of await responses.retrieve(id, { stream: true, starting_after: last })) rest.push(event);
    })();
    held.go();
    await going;
    const all = [...first, ...rest];
    expect(numbersOf(all)).toEqual(all.map((_, at) => at));
    expect(textOf(all)).toBe('하나 둘 셋');
    expect(all.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
    // Whoever comes later is told the same, from the first event on.
    const again: ResponseStreamEvent[] = [];
    for await (const event of await responses.retrieve(id, { stream: true })) again.push(event);
    expect(again).toEqual(all);
    const end: ResponseStreamEvent[] = [];
    for await (const event of await responses.retrieve(id, { stream: true, starting_after: all.length - 1 }))
      end.push(event);
    expect(end).toEqual([]);
  });

  test('ends one, which keeps what there is of it and stops the model', async () => {
    covers('responses.background.cancel');
    const held = heldServer(['halb', 'fertig']);
    house.upstream.plays(held.handler);
    const { responses } = open();
    const stream = await responses.create({ model, input: 'x', background: true, stream: true });
    let id = '';
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) {
      events.push(event);
      if (event.type === 'response.created') ({ id } = event.response);
      if (event.type === 'response.output_text.delta') {
        const canceled = await responses.cancel(id);
        const output = [{ status: 'incomplete', content: [{ text: 'halb' }] }];
        expect(canceled).toMatchObject({ id, status: 'cancelled', output });
      }
    }
    await held.aborted;
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { status: 'cancelled' } });
    expect(numbersOf(events)).toEqual(events.map((_, at) => at));
    // It stays as it ended.
    expect(await responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    house.upstream.plays(play({ text: 'whole' }));
    const other = await responses.create({ model, input: 'x', background: true });
    await ended(other.id);
    expect(await responses.cancel(other.id)).toMatchObject({ status: 'completed' });
  });

  test('deletes one that is being made, which is made no further', async () => {
    const held = heldServer(['a', 'b']);
    house.upstream.plays(held.handler);
    const { responses } = open();
    const { id } = await responses.create({ model, input: 'x', background: true });
    await eventually(() => expect(house.upstream.calls).toHaveLength(1));
    await responses.delete(id);
    await held.aborted;
    await expect(responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(responses.cancel(id)).rejects.toMatchObject({ status: 404 });
  });

  test('is told truly of one that fails', async () => {
    covers('responses.background.failure');
    house.upstream.plays(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse({ choices: [{ index: 0, delta: { content: 'half' } }] }));
      // One that breaks off is asked again; what is refused is not.
      response.end(sse({ error: { message: 'the schema is none', type: 'BadRequestError', code: 400 } }));
    });
    const { id } = await open().responses.create({ model, input: 'x', background: true });
    const failed = await ended(id);
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_prompt' },
      output: [{ status: 'incomplete' }],
    });
    const said = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.";
    house.upstream.plays(answer(400, { error: { message: said, type: 'BadRequestError', param: null, code: 400 } }));
    const tooLong = await open().responses.create({ model, input: 'x', background: true });
    expect(await ended(tooLong.id)).toMatchObject({ status: 'failed', error: { code: 'context_length_exceeded' } });
  });
});

describe('what cannot be is refused', () => {
  const open = () => new OpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });

  test.each([
    [{ background: true, store: false }, 'store'],
    [{ background: true, model: 'nobody' }, 'model'],
    [{ background: true, max_output_tokens: 40_000 }, 'max_output_tokens'],
  ])('at once: %j', async (wrong, param) => {
    covers('responses.background.refused');
    await expect(open().responses.create({ model, input: 'x', ...wrong })).rejects.toMatchObject({
      status: 400,
      param,
    });
    expect(house.upstream.calls).toEqual([]);
  });

  test('the stream of one that was not begun so, and a place without a stream', async () => {
    house.upstream.plays(play({ text: 'x' }));
    const { id } = await open().responses.create({ model, input: 'x' });
    await expect(open().responses.retrieve(id, { stream: true })).rejects.toMatchObject({
      status: 400,
      param: 'stream',
    });
    await expect(open().responses.retrieve(id, { starting_after: 1 } as never)).rejects.toMatchObject({
      status: 400,
      param: 'starting_after',
    });
    await expect(open().responses.cancel(id)).rejects.toMatchObject({ status: 400 });
    await expect(open().responses.retrieve('resp_none', { stream: true })).rejects.toMatchObject({ status: 404 });
  });
});
