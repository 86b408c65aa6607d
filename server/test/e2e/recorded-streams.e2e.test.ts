import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Joined, type StreamFixture, recordings } from '../fixtures/streams/index.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { CHAT, call, chatBody, chatStream, join } from '../support/http.ts';

// What each kind of model server sends, through the whole service, as a client has it.

let house: House;
beforeAll(async () => {
  house = await openSharedHouse();
});
afterAll(() => house.close());
beforeEach(() => house.upstream.reset());

const parameters = { type: 'object', properties: {} };
const tools = ['a', 'b', 'f', 'add', 'now', 'get_weather'].map((name) => ({
  type: 'function',
  function: { name, parameters },
}));

/** What comes to the client of what the adapter gives: raw channels are taken apart by the service. */
function served({ name, expected }: StreamFixture): Joined {
  if (!name.includes('raw harmony')) return expected;
  const [first] = expected.choices;
  return first ? { ...expected, choices: [{ ...first, reasoning: '인사', content: '안녕' }] } : expected;
}

describe.each(Object.entries(recordings))('%s', (_engine, all) => {
  test.each((all as readonly StreamFixture[]).map((one) => [one.name, one] as const))(
    '%s',
    async (_name, recording) => {
      const wanted = served(recording);
      house.upstream.plays(({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(recording.body);
      });
      const fields = {
        model: 'K-Large-236B',
        tools,
        stream_options: { include_usage: true },
        ...(wanted.choices.length > 1 ? { n: wanted.choices.length } : {}),
      };
      if (wanted.choices.length === 0) {
        // It failed before anything came: an error as any other.
        const { status, text } = await call(house, CHAT, { body: chatBody({ ...fields, stream: true }) });
        expect(status).toBe(wanted.error?.kind === 'refused' ? 400 : 503);
        expect((JSON.parse(text) as { error: { message: string } }).error.message).toContain(
          wanted.error?.detail ?? '',
        );
        return;
      }
      const reply = await chatStream(house, fields);
      expect(reply.status).toBe(200);
      for (const [index, choice] of wanted.choices.entries()) {
        const got = join(reply.chunks, index);
        expect({
          content: got.content,
          reasoning: got.reasoning ?? '',
          calls: got.tools.map(({ name, arguments: args }) => ({ name, arguments: args })),
          finish: got.finish,
          stop: got.finish === null ? null : (got.stop ?? null),
        }).toEqual({ ...choice, calls: choice.calls.map(({ name, arguments: args }) => ({ name, arguments: args })) });
        for (const [i, { id }] of choice.calls.entries()) if (id !== null) expect(got.tools[i]?.id).toBe(id);
      }
      if (wanted.error !== null) {
        expect([reply.done, reply.error !== null]).toEqual([false, true]);
        return;
      }
      expect([reply.done, reply.error]).toEqual([true, null]);
      const usage = reply.chunks.find((chunk) => chunk.usage !== undefined && chunk.usage !== null)?.usage;
      if (wanted.usage !== null)
        expect([usage?.prompt_tokens, usage?.completion_tokens]).toEqual([
          wanted.usage.promptTokens,
          wanted.usage.completionTokens,
        ]);
    },
  );
});

describe.each(['vLLM', 'Ollama', 'OpenAI API'] as const)('to %s goes', (engine) => {
  test('an image as the client gave it, to a model that takes them', async () => {
    const url =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const content = [
      { type: 'text', text: '무엇이 보이나요?' },
      { type: 'image_url', image_url: { url } },
    ];
    house.upstream.plays(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        recordings[engine].find(({ name }) => name.includes('lain') || name.includes('padding'))?.body ?? '',
      );
    });
    const reply = await chatStream(house, { model: 'LLM42', messages: [{ role: 'user', content }] });
    expect(reply.status).toBe(200);
    expect(house.upstream.one().json.messages[0]?.content).toEqual(content);
  });
});
