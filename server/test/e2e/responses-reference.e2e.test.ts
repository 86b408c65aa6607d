import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { play } from '../support/upstream.ts';

// What the reference of the Responses interface says of single fields of a request, by the official client.

let house: House;
let responses: OpenAI.Responses;
beforeAll(async () => {
  house = await openSharedHouse();
  responses = new OpenAI({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 }).responses;
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const model = 'CORE-GOV-THINK';
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const told = () => house.upstream.calls.at(-1)?.json;

test('images reach the model with their detail; one by the id of a file is refused', async () => {
  covers('responses.images');
  const image = { type: 'input_image' as const, detail: 'low' as const, image_url: `data:image/png;base64,${png}` };
  await responses.create({ model: 'LLM42', input: [{ role: 'user', content: [image] }] });
  const [message] = told()?.messages ?? [];
  expect(message?.content).toEqual([{ type: 'image_url', image_url: { url: image.image_url, detail: 'low' } }]);
  const byId = { type: 'input_image' as const, detail: 'auto' as const, file_id: 'file-1' };
  const refused = responses.create({ model: 'CORE-GOV', input: [{ role: 'user', content: [byId] }] });
  await expect(refused).rejects.toMatchObject({ status: 400, param: 'input[0].content[0].image_url' });
});

test('instructions are those of one answer, and are not gone on with', async () => {
  covers('responses.instructions');
  house.upstream.plays(play({ text: 'Hi' }));
  const first = await responses.create({ model, input: 'one', instructions: 'Be brief' });
  expect(told()?.messages[0]).toEqual({ role: 'system', content: 'Be brief' });
  const second = await responses.create({ model, input: 'two', previous_response_id: first.id });
  expect(told()?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'one'],
    ['assistant', 'Hi'],
    ['user', 'two'],
  ]);
  expect([first.instructions, second.instructions]).toEqual(['Be brief', null]);
  expect(second.previous_response_id).toBe(first.id);
});

test('effort none answers without thinking, and an effort reaches models that can be set', async () => {
  covers('responses.reasoning.effort');
  house.upstream.plays(play({ text: 'Hi', reasoning: 'hm' }));
  const quiet = await responses.create({ model, input: 'x', reasoning: { effort: 'none' } });
  expect(quiet.output.map(({ type }) => type)).toEqual(['message']);
  expect(quiet.reasoning).toMatchObject({ effort: 'none' });
  const loud = await responses.create({ model, input: 'x', reasoning: { effort: 'high' } });
  expect(loud.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
  expect(loud.reasoning).toMatchObject({ effort: 'high' });
});

test('one call at a time where parallel_tool_calls says so', async () => {
  covers('responses.parallel-tool-calls');
  const tools = [{ type: 'function' as const, name: 'f', parameters: { type: 'object' }, strict: false }];
  const response = await responses.create({ model, input: 'x', tools, parallel_tool_calls: false });
  expect(told()?.parallel_tool_calls).toBe(false);
  expect(response.parallel_tool_calls).toBe(false);
});

test('log probabilities come where they are asked for', async () => {
  covers('responses.logprobs');
  const logprobs = { content: [{ token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] }] };
  house.upstream.plays(play({ text: 'Hi', logprobs }));
  const include = ['message.output_text.logprobs' as const];
  const { output, top_logprobs: top } = await responses.create({
    model: 'CORE-GOV',
    input: 'x',
    include,
    top_logprobs: 2,
  });
  expect(told()).toMatchObject({ logprobs: true, top_logprobs: 2 });
  expect(top).toBe(2);
  expect(output).toMatchObject([{ content: [{ logprobs: [{ token: 'Hi', logprob: -0.5 }] }] }]);
});

test('what is said of a request is said back, also by GET', async () => {
  covers('responses.echo');
  const fields = {
    metadata: { job: 'nightly' },
    user: 'somebody',
    safety_identifier: 'hash',
    prompt_cache_key: 'key',
    temperature: 0.3,
    top_p: 0.9,
    max_output_tokens: 100,
    truncation: 'auto' as const,
  };
  const made = await responses.create({ model, input: 'x', ...fields, service_tier: 'flex' });
  expect(made).toMatchObject({ object: 'response', model, status: 'completed', ...fields, service_tier: 'default' });
  expect(await responses.retrieve(made.id)).toMatchObject(fields);
});

test('what is not to be stored is neither read nor gone on from', async () => {
  covers('responses.unstored');
  const made = await responses.create({ model, input: 'x', store: false });
  expect(made).toMatchObject({ store: false });
  const { id } = made;
  await expect(responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  const next = responses.create({ model, input: 'y', previous_response_id: id });
  await expect(next).rejects.toMatchObject({ param: 'previous_response_id' });
});

test('input items are listed page by page, in both orders', async () => {
  covers('responses.input-items');
  const texts = ['a', 'b', 'c'];
  const input = texts.map((text) => ({ role: 'user' as const, content: text }));
  const { id } = await responses.create({ model, input });
  const list = async (query: OpenAI.Responses.InputItemListParams) => {
    const found: unknown[] = [];
    for await (const item of responses.inputItems.list(id, query)) found.push('content' in item && item.content);
    return found
      .map((content) => JSON.stringify(content))
      .map((text) => texts.find((one) => text.includes(`"${one}"`)));
  };
  expect(await list({ limit: 2, order: 'asc' })).toEqual(texts);
  expect(await list({ limit: 2 })).toEqual(texts.toReversed());
  const whole = await responses.inputItems.list(id, { order: 'asc' });
  expect(await list({ order: 'asc', after: whole.data[1]?.id ?? '' })).toEqual(['c']);
});
