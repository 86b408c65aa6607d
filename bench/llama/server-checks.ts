/** What a real llama-server is tried with, behind the whole service, and the made models that it takes. */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import {
  IMAGE_TOKENS,
  writeBrokenModel,
  writeEmbeddingModel,
  writeRandomModel,
  writeRandomProjector,
  writeRerankModel,
} from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { type BenchService, stream } from './service.ts';

/** Writes a file of the folder of models, as one that nobody is writing any more. */
export function putModel(folder: string, name: string, write: (path: string) => unknown): string {
  const path = join(folder, 'models', name);
  write(path);
  const minuteAgo = Date.now() / 1000 - 60;
  utimesSync(path, minuteAgo, minuteAgo);
  return path;
}

/** Settings of the models of the checks. */
export function makeCheckedModels(folder: string): Record<string, object> {
  const put = (name: string, write: (path: string) => unknown) => putModel(folder, name, write);
  for (const name of ['plain', 'seeing', 'misfit', 'strange']) put(`${name}.gguf`, writeRandomModel);
  put('mmproj-seeing.gguf', (path) => writeRandomProjector(path, { embedding: 64 }));
  put('mmproj-other.gguf', (path) => writeRandomProjector(path, { embedding: 128 }));
  put('damaged.gguf', (path) => writeBrokenModel(path, 'missing-tensor'));
  put('vectors.gguf', (path) => writeEmbeddingModel(path, { words: ['river', 'bank', 'tax'] }));
  // One for each runtime, whose scores are to be the same.
  for (const name of ['scores', 'scores-bundled'])
    put(`${name}.gguf`, (path) => writeRerankModel(path, { relevant: 'tax', words: ['river', 'bank'] }));
  const byServer = { runtime: 'llama-server' };
  return {
    plain: byServer,
    seeing: { mmproj: 'mmproj-seeing.gguf' },
    misfit: { mmproj: 'mmproj-other.gguf' },
    strange: { ...byServer, args: ['--no-such-flag'] },
    damaged: byServer,
    vectors: byServer,
    scores: byServer,
  };
}

interface Reply {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

async function post({ base, key }: BenchService, path: string, body: object): Promise<Reply> {
  const reply = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  return { status: reply.status, text, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : null };
}

const CHAT = '/v1/chat/completions';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const ask = (model: string, content: unknown, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content }],
  max_tokens: 8,
  temperature: 0,
  ...more,
});
const looking = (data: string) => [
  { type: 'text', text: 'what?' },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
];
const schema = { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'], additionalProperties: false };
const format = { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } };

/** What is tried: a name, and work that says what it found, or throws. */
export type Check = readonly [name: string, run: (service: BenchService) => Promise<string>];

function expect(condition: boolean, { status, text }: Reply): void {
  if (!condition) throw new Error(`${status} ${text.slice(0, 400)}`);
}

const tokensOf = ({ body }: Reply): number => Number(body?.usage?.prompt_tokens);

/** A request that is refused, with words that stand in why. */
const refused = (name: string, path: string, body: object, words: RegExp): Check => [
  name,
  async (service) => {
    const reply = await post(service, path, body);
    expect(reply.status === 400 && words.test(String(reply.body?.error?.message)), reply);
    return String(reply.body.error.message).slice(0, 120);
  },
];

/** What a real llama-server is tried with. */
export const serverChecks: readonly Check[] = [
  [
    'a whole reply',
    async (service) => {
      const reply = await post(service, CHAT, ask('plain', '안녕'));
      expect(reply.status === 200 && reply.body.choices[0].finish_reason === 'length', reply);
      return `${tokensOf(reply)} tokens in the prompt, ${reply.body.usage.completion_tokens} in the reply`;
    },
  ],
  [
    'streams and whole replies in turn, over kept connections',
    async (service) => {
      for (let i = 0; i < 10; i++) {
        const { completionTokens } = await stream(service, 'plain', 16, 8);
        const reply = await post(service, CHAT, ask('plain', `${i}`));
        expect(completionTokens === 8 && reply.status === 200, reply);
      }
      return 'ten of each';
    },
  ],
  [
    'a schema',
    async (service) => {
      const reply = await post(service, CHAT, ask('plain', 'x', { response_format: format, max_tokens: 64 }));
      expect(reply.status === 200, reply);
      const content = String(reply.body.choices[0].message.content);
      expect(typeof (JSON.parse(content) as { a: unknown }).a === 'boolean', reply);
      return content;
    },
  ],
  [
    'two choices',
    async (service) => {
      const reply = await post(service, CHAT, ask('plain', 'x', { n: 2, temperature: 1, seed: 3 }));
      expect(reply.status === 200 && reply.body.choices.length === 2, reply);
      return 'both';
    },
  ],
  [
    'an image, by the projector',
    async (service) => {
      const without = await post(service, CHAT, ask('seeing', 'what?'));
      const reply = await post(service, CHAT, ask('seeing', looking(PNG)));
      expect(reply.status === 200 && tokensOf(reply) >= tokensOf(without) + IMAGE_TOKENS, reply);
      return `${tokensOf(reply)} tokens in the prompt, ${tokensOf(without)} without it`;
    },
  ],
  [
    'an image in a stream',
    async (service) => {
      const reply = await post(service, CHAT, ask('seeing', looking(PNG), { stream: true }));
      expect(reply.status === 200 && reply.text.trimEnd().endsWith('data: [DONE]'), reply);
      return 'to its end';
    },
  ],
  [
    'vectors of several texts',
    async (service) => {
      const reply = await post(service, '/v1/embeddings', { model: 'vectors', input: ['river', 'bank tax'] });
      expect(reply.status === 200 && reply.body.data.length === 2, reply);
      return `${reply.body.data[0].embedding.length} numbers each`;
    },
  ],
  [
    'scores',
    async (service) => {
      const scoresOf = async (model: string, documents: readonly string[]) => {
        const reply = await post(service, '/v1/rerank', { model, query: 'tax', documents });
        expect(reply.status === 200, reply);
        const results = reply.body.results as { index: number; relevance_score: number }[];
        return JSON.stringify(results.map(({ index, relevance_score: score }) => [index, score.toFixed(3)]));
      };
      const found: string[] = [];
      // Of the first two the order is another one where a pair has no mark at its end.
      for (const documents of [
        ['the tax of the river', 'a bank'],
        ['river', 'tax tax tax'],
      ]) {
        const [own, bundled] = [await scoresOf('scores', documents), await scoresOf('scores-bundled', documents)];
        if (own !== bundled) throw new Error(`${own}, of the bundled runtime ${bundled}`);
        found.push(own);
      }
      return `${found.join(' ')}, as of the bundled runtime`;
    },
  ],
  refused('an image for a model without a projector', CHAT, ask('plain', looking(PNG)), /image|text/i),
  refused('an image that is none', CHAT, ask('seeing', looking('AAAA')), /image/i),
  refused('a prompt that is too long', CHAT, ask('plain', 'long '.repeat(2_000)), /context length/i),
  refused(
    'a text that is too long for vectors',
    '/v1/embeddings',
    { model: 'vectors', input: 'tax '.repeat(600) },
    /256/,
  ),
  ...(
    [
      ['a damaged model', 'damaged', /damaged/],
      ['a projector of another model', 'misfit', /projector/],
      ['a flag that it does not know', 'strange', /no-such-flag/],
    ] as const
  ).map(([name, model, words]): Check => [
    `${name} says so`,
    async (service) => {
      const reply = await post(service, CHAT, ask(model, 'x'));
      expect(reply.status === 503 && words.test(reply.text) && !reply.text.includes('/models/'), reply);
      return String(reply.body.error.message).slice(0, 120);
    },
  ]),
];
