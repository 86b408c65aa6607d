import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { deployAgent } from '../deploy-agent.ts';
import { openServiceDatabase } from '../service-database.ts';
import { openHouse } from '../../server/test/support/house.ts';
import { openStream, play, sse } from '../../server/test/support/upstream.ts';
import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';

// An agent that does what the scenarios of the A2A TCK want, behind an address as the TCK takes it: a host whose /.well-known has the card,
// whose root takes JSON-RPC, and no key. `node bench/a2a/tck-host.ts --port 9999` runs until it is ended; docs/reference/a2a.md says how the TCK is run against it.

const { values } = parseArgs({ options: { port: { type: 'string', default: '9999' } } });

/** Scenarios say by the beginning of a message id what is wanted. */
const WANTED = /^(?:tck-[a-z0-9-]*[a-z0-9]|test-resubscribe)/;
/** The branch 0.3.x goes on with, or cancels, the tasks of these messages: the agent asks several times, as an answer would end them. */
const GOES_ON = /^(?:test|text|cancel-test|mapping-test|test-history-create)-message-id-/;
const GOING_ON = 'tck-goes-on';
/** The method whose absence of a key that branch looks at; the host adds one to all others. */
const NEEDS_OWN_KEY = 'agent/getAuthenticatedExtendedCard';
const HOLD_MS = 25_000;

const wants = (...prefixes: readonly string[]) =>
  prefixes.map((right) => ({ left: '{{input.text}}', op: 'starts_with', right }));
/** An answer after which the scenario of history has more to say. */
const tells = (ask: string) => [{ left: `{{${ask}.text}}`, op: 'starts_with', right: 'TCK history' }];
const branches = {
  asks: wants('tck-input-required'),
  again: wants(GOING_ON),
  file: wants('tck-artifact-file', 'tck-stream-artifact-file'),
  data: wants('tck-artifact-data'),
  text: wants('tck-artifact-text'),
  says: wants('tck-stream', 'test-resubscribe', 'resubscribe'),
  fails: wants('tck-reject'),
};
const definition = AgentDefinition.parse({
  schema: 1,
  nodes: [
    { id: 'input', kind: 'input', files: true },
    {
      id: 'which',
      kind: 'condition',
      cases: Object.entries(branches).map(([branch, tests]) => ({ branch, match: 'any', tests })),
    },
    { id: 'ask', kind: 'ask', question: 'What else?' },
    { id: 'more', kind: 'condition', cases: [{ branch: 'more', match: 'any', tests: tells('ask') }] },
    { id: 'ask_more', kind: 'ask', question: 'What more?' },
    { id: 'most', kind: 'condition', cases: [{ branch: 'most', match: 'any', tests: tells('ask_more') }] },
    { id: 'ask_most', kind: 'ask', question: 'Is that all?' },
    { id: 'thanks', kind: 'answer', text: 'Thank you: {{ask.text}}' },
    { id: 'thanks_more', kind: 'answer', text: 'Thank you: {{ask_more.text}}' },
    { id: 'thanks_most', kind: 'answer', text: 'Thank you: {{ask_most.text}}' },
    { id: 'first', kind: 'ask', question: 'What else?' },
    { id: 'second', kind: 'ask', question: 'And what more?' },
    { id: 'third', kind: 'ask', question: 'Anything beside?' },
    { id: 'ended', kind: 'answer', text: 'Thank you: {{third.text}}' },
    {
      id: 'written',
      kind: 'answer',
      text: '',
      parts: [{ kind: 'document', name: 'output.txt', content: 'Generated' }],
    },
    { id: 'counted', kind: 'answer', text: '', parts: [{ kind: 'data', value: 'input.data', name: 'data' }] },
    { id: 'text', kind: 'answer', text: 'Generated text content' },
    { id: 'model', kind: 'model', model: 'CORE-GOV' },
    { id: 'said', kind: 'answer', text: '{{model.text}}' },
    { id: 'broken', kind: 'model', model: 'NO-SUCH-MODEL' },
    { id: 'never', kind: 'answer', text: '{{broken.text}}' },
    { id: 'hello', kind: 'answer', text: 'Hello from TCK' },
  ],
  edges: [
    { from: 'input', to: 'which' },
    { from: 'which', to: 'ask', branch: 'asks' },
    { from: 'ask', to: 'more' },
    { from: 'more', to: 'thanks', branch: 'else' },
    { from: 'more', to: 'ask_more', branch: 'more' },
    { from: 'ask_more', to: 'most' },
    { from: 'most', to: 'thanks_more', branch: 'else' },
    { from: 'most', to: 'ask_most', branch: 'most' },
    { from: 'ask_most', to: 'thanks_most' },
    { from: 'which', to: 'first', branch: 'again' },
    { from: 'first', to: 'second' },
    { from: 'second', to: 'third' },
    { from: 'third', to: 'ended' },
    { from: 'which', to: 'written', branch: 'file' },
    { from: 'which', to: 'counted', branch: 'data' },
    { from: 'which', to: 'text', branch: 'text' },
    { from: 'which', to: 'model', branch: 'says' },
    { from: 'model', to: 'said' },
    { from: 'which', to: 'broken', branch: 'fails' },
    { from: 'broken', to: 'never' },
    { from: 'which', to: 'hello', branch: 'else' },
  ],
});

/** What of a model's answer is said at once, and what later: whoever follows a task has something to follow. */
const pieces = ['Stream hello ', 'from TCK'];
const chunk = (content: string, finish: string | null = null) =>
  sse({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'm',
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  });

const house = await openHouse({
  config: () => ({
    limits: { requests_per_minute: null, tokens_per_minute: null },
    network: { allow: ['localhost', '127.0.0.1', 'example.com'] },
    // The TCK gives many messages one id; here the same id with the same content would be the same message.
    agents: { message_hours: 0 },
  }),
});
house.upstream.plays((asked) => {
  if (!asked.text.includes('resubscribe')) return play({ text: pieces })(asked);
  const response = openStream(asked);
  response.write(chunk(pieces[0] ?? ''));
  setTimeout(() => response.end(`${chunk(pieces[1] ?? '', 'stop')}data: [DONE]\n\n`), HOLD_MS).unref();
});
const { db, tenantId } = await openServiceDatabase(house.dataFolder);
const own = (await deployAgent(db, tenantId, definition)).replace('/api/v1', '/v1').replace(/\/a2a$/, '');
await db.close();

interface Message {
  messageId?: unknown;
  taskId?: unknown;
  parts?: unknown;
}
/** The message of a request; the scenario that its id asks for stands in its text then, which is what agents here see. */
function tellScenario(body: unknown): unknown {
  const { params, message: plain } = (body ?? {}) as { params?: { message?: Message }; message?: Message };
  const message = params?.message ?? plain;
  // What answers a question is kept as it was said: a scenario looks for it in the history.
  if (typeof message?.messageId !== 'string' || message.taskId !== undefined || !Array.isArray(message.parts))
    return body;
  const [scenario] = GOES_ON.test(message.messageId) ? [GOING_ON] : (WANTED.exec(message.messageId) ?? []);
  const text = (message.parts as { text?: unknown }[]).find((part) => typeof part.text === 'string');
  if (scenario !== undefined && text !== undefined) text.text = scenario;
  // The agent answers with the data that it is given.
  if (scenario?.startsWith('tck-artifact-data') === true) message.parts.push({ data: { key: 'value', count: 42 } });
  return body;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const bytes = await buffer(request);
  if (bytes.length === 0) return null;
  try {
    return Buffer.from(JSON.stringify(tellScenario(JSON.parse(bytes.toString('utf8')))));
  } catch {
    return bytes;
  }
}

const server = createServer((request, response) => {
  void (async () => {
    const { port } = server.address() as AddressInfo;
    const base = `http://localhost:${port}`;
    const isCard = request.url?.startsWith('/.well-known/agent') === true;
    const path = isCard
      ? `${own}/a2a/.well-known/agent-card.json`
      : request.url === '/'
        ? `${own}/a2a/rpc`
        : (request.url ?? '');
    const body = await bodyOf(request);
    const { host: _host, 'content-length': _length, connection: _connection, ...rest } = request.headers;
    const addsKey = body?.includes(NEEDS_OWN_KEY) !== true;
    const headers = new Headers(addsKey ? { authorization: `Bearer ${house.key}` } : {});
    for (const [name, value] of Object.entries(rest)) if (value !== undefined) headers.set(name, String(value));
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const reply = await fetch(house.base + path, {
      method: request.method ?? 'GET',
      headers,
      signal: gone.signal,
      ...(body === null ? {} : { body: Uint8Array.from(body) }),
    });
    const told = Object.fromEntries(
      [...reply.headers].filter(
        ([name]) => !/^(?:content-(?:length|encoding)|connection|transfer-encoding)$/.test(name),
      ),
    );
    response.writeHead(reply.status, told);
    if (isCard) return response.end((await reply.text()).replaceAll(house.base, base));
    for await (const piece of reply.body ?? []) response.write(piece);
    return response.end();
  })().catch(() => response.destroy());
});
server.listen(Number(values.port), () => console.log(`http://localhost:${values.port} is ${house.base}${own}`));
process.once('SIGINT', () => {
  server.close();
  void house.close().then(() => process.exit(0));
});
