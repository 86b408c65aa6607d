import { existsSync, readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

// A fake llama-server: a program that takes the flags of the real one, refuses others, and answers in its documented forms. What a model
// does is in the alias that it is started with: `crash` ends at each chat, `flagged` does not know newer flags. It is run by
// the file that `writeFakeLlamaServer` writes. Source: llama.cpp, tools/server/README.md, and what a real one did (bench/llama/server.ts).

/** Flags that are followed by a value. */
const VALUES = [
  '--model',
  '--alias',
  '--host',
  '--ctx-size',
  '--parallel',
  '--threads',
  '--threads-batch',
  '--n-gpu-layers',
  '--batch-size',
  '--ubatch-size',
  '--pooling',
  '--embd-normalize',
  '--mmproj',
  '--cache-ram',
  '--temp',
  '--override-kv',
] as const;
const SWITCHES = ['--jinja', '--no-webui', '--no-slots', '--offline', '--no-mmproj', '--embeddings', '--reranking'];

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(`usage: llama-server\n${[...VALUES, ...SWITCHES].map((flag) => `${flag}   words\n`).join('')}`);
  process.exit(0);
}

/** A flag that is given again adds to what it said. */
const join = (before: string | true | undefined, now: string) =>
  typeof before === 'string' ? `${before},${now}` : now;

const given = new Map<string, string | true>();
for (let i = 0; i < args.length; i++) {
  const flag = args[i] ?? '';
  if (SWITCHES.includes(flag)) given.set(flag, true);
  else if ((VALUES as readonly string[]).includes(flag)) given.set(flag, join(given.get(flag), args[++i] ?? ''));
  else fail(`error: invalid argument: ${flag}`);
}
const value = (flag: (typeof VALUES)[number]) => String(given.get(flag) ?? '');

function fail(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

const isGguf = (path: string) => existsSync(path) && readFileSync(path).subarray(0, 4).toString('latin1') === 'GGUF';
if (!isGguf(value('--model')))
  fail(`llama_model_load: error loading model: tensor 'x' of ${value('--model')} is not there`);
if (given.has('--mmproj') && !isGguf(value('--mmproj')))
  fail(`srv load_model: failed to load multimodal model, '${value('--mmproj')}'`);

/** Answers of /health while the model is loaded. */
let loading = 2;
let calls = 0;

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return JSON.parse(text) as Record<string, unknown>;
}

const send = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json', server: 'llama.cpp' }).end(JSON.stringify(body));
const refuse = (response: ServerResponse, code: number, type: string, message: string) =>
  send(response, { error: { code, message, type } }, code);

interface Message {
  readonly content: string | readonly { readonly type: string; readonly image_url?: { readonly url: string } }[];
}

/** What the fake says: the flags that it runs by, and the images that it got. */
function replyTo(messages: readonly Message[]): string {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const images = parts.flatMap(({ image_url: image }) => image ?? []).map(({ url }) => url.split(',')[0]);
  return JSON.stringify({ pid: process.pid, call: ++calls, images, flags: Object.fromEntries(given) });
}

async function chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages, stream } = (await read(request)) as { messages: readonly Message[]; stream?: boolean };
  if (value('--alias').includes('crash')) process.exit(7);
  const hasImages = JSON.stringify(messages).includes('"image_url"');
  if (hasImages && !given.has('--mmproj'))
    return void refuse(
      response,
      500,
      'server_error',
      'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    );
  const content = replyTo(messages);
  const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
  const head = { id: 'chatcmpl-x', created: 1, model: value('--alias') };
  if (stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    return void send(response, { ...head, object: 'chat.completion', choices, usage });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', server: 'llama.cpp' });
  const event = (more: object) =>
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...more })}\n\n`);
  event({ choices: [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }] });
  event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  event({ choices: [], usage });
  // It says that it keeps the connection, and closes it.
  response.end('data: [DONE]\n\n', () => request.socket.end());
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /health':
      if (loading-- > 0) return void refuse(response, 503, 'unavailable_error', 'Loading model');
      return void send(response, { status: 'ok' });
    case 'GET /props': {
      const slots = Number(value('--parallel'));
      return void send(response, {
        default_generation_settings: { n_ctx: Number(value('--ctx-size')) / slots },
        total_slots: slots,
        modalities: { vision: given.has('--mmproj'), audio: false },
      });
    }
    case 'GET /v1/models':
      return void send(response, { object: 'list', data: [{ id: value('--alias'), owned_by: 'llamacpp' }] });
    case 'POST /v1/chat/completions':
      return chat(request, response);
    case 'POST /v1/embeddings': {
      const { input } = (await read(request)) as { input: string | readonly string[] };
      const texts = typeof input === 'string' ? [input] : input;
      const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1] }));
      return void send(response, { object: 'list', data, usage: { prompt_tokens: 3, total_tokens: 3 } });
    }
    default:
      return void refuse(response, 404, 'not_found_error', 'File Not Found');
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => refuse(response, 500, 'server_error', String(error)));
});
process.once('SIGTERM', () => process.exit(0));
// The real one binds a Unix socket where the address ends with `.sock`.
if (!value('--host').endsWith('.sock')) fail('error: the fake listens at Unix sockets only');
server.listen(value('--host'));
