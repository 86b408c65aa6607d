/**
 * What agents cost: node bench/agents/run.ts [--quick]
 * Every figure is a ratio of two measurements of the same run, or our own time; they are in docs/reference/performance.md.
 */
import { parseArgs } from 'node:util';
import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { reportFigure } from '../figures.ts';
import { type Bench, openBench } from './service.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});

const STREAMS = 100;
const ROUNDS = values.quick ? 1 : 3;
/** Of a stream. */
const FEW_TOKENS = 50;
const MANY_TOKENS = 500;
/** Between two tokens of one stream: 40 a second. */
const PERIOD_MS = 25;
const LONG = 5_000;
const SHORT = 1_250;
const NODES = 101;

const chain = (nodes: readonly { readonly id: string }[]): AgentDefinition =>
  AgentDefinition.parse({
    schema: 1,
    nodes,
    edges: nodes.slice(1).map(({ id }, at) => ({ from: nodes[at]?.id, to: id })),
  });

const input = { id: 'input', kind: 'input' };
const plain = (model: string) =>
  chain([
    input,
    { id: 'model', kind: 'model', model } as typeof input,
    { id: 'answer', kind: 'answer', text: '{{model.text}}' } as typeof input,
  ]);
/** One node after the other, each with a text of its own to fill. */
const long = (nodes: number) =>
  chain([
    input,
    ...Array.from({ length: nodes - 2 }, (_, at) => ({
      id: `n${at}`,
      kind: 'condition',
      cases: [{ branch: 'yes', tests: [{ left: '{{input.text}}', op: 'not_empty' }] }],
    })),
    { id: 'answer', kind: 'answer', text: 'Done' } as typeof input,
  ]);

let messages = 0;
const message = (method: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    message: {
      kind: 'message',
      role: 'user',
      messageId: `bench-${process.pid}-${messages++}`,
      parts: [{ kind: 'text', text: 'Tell me of budgets' }],
    },
  },
});
const chat = (model: string) => ({ model, stream: true, messages: [{ role: 'user', content: 'Tell me of budgets' }] });

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;

interface Cost {
  readonly service: number;
  readonly all: number;
}

/** CPU that some work takes, in microseconds. */
async function cost(bench: Bench, work: () => Promise<unknown>): Promise<Cost> {
  const before = bench.cpu();
  await work();
  const after = bench.cpu();
  return { service: after.service - before.service, all: after.all - before.all };
}

const many = (bench: Bench, path: string, body: () => unknown) =>
  Promise.all(Array.from({ length: STREAMS }, () => bench.post(path, body())));

/** Middle value of each way to count. */
const medianCost = (list: readonly Cost[]): Cost => ({
  service: median(list.map(({ service }) => service)),
  all: median(list.map(({ all }) => all)),
});

/** What is paid once a call, and for each token, from calls with few tokens and with many. In microseconds. */
const split = (few: number, many: number) => {
  const token = (many - few) / STREAMS / (MANY_TOKENS - FEW_TOKENS);
  return { token, call: few / STREAMS - token * FEW_TOKENS };
};

/** CPU of agents over A2A and of the plain chat stream, many at a time, each as fast as a model speaks, taking turns. */
async function perToken(bench: Bench) {
  const path = await bench.agent(plain(bench.model));
  const ways = {
    chat: () => many(bench, '/v1/chat/completions', () => chat(bench.model)),
    agent: () => many(bench, path, () => message('message/stream')),
  };
  const costs = { chat: [[], []] as [Cost[], Cost[]], agent: [[], []] as [Cost[], Cost[]] };
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, tokens] of [FEW_TOKENS, MANY_TOKENS].entries()) {
      await bench.setEngineMode({ kind: 'stream', text: 'content', tokens, periodMs: PERIOD_MS });
      for (const way of ['chat', 'agent'] as const) {
        const one = await cost(bench, ways[way]);
        // The first round warms up.
        if (round > 0) costs[way][at]?.push(one);
      }
    }
  const summaryOf = (way: keyof typeof costs) => {
    const [few, whole] = costs[way].map(medianCost);
    return {
      service: split(few?.service ?? 0, whole?.service ?? 0),
      all: split(few?.all ?? 0, whole?.all ?? 0),
      whole: (whole?.service ?? 0) / STREAMS / MANY_TOKENS,
    };
  };
  return { chat: summaryOf('chat'), agent: summaryOf('agent') };
}

/** CPU of a long stream against a short one, per token; and what the log of the long one takes. */
async function measureGrowth(bench: Bench) {
  const path = await bench.agent(plain(bench.model));
  const one = async (tokens: number) => {
    await bench.setEngineMode({ kind: 'stream', text: 'content', tokens, periodMs: 1 });
    const { all } = await cost(bench, () =>
      Promise.all([1, 2, 3, 4].map(() => bench.post(path, message('message/stream')))),
    );
    return all / tokens / 4;
  };
  await one(SHORT);
  const short = median([await one(SHORT), await one(SHORT), await one(SHORT)]);
  const whole = await one(LONG);
  return { short, long: whole, ratio: whole / short, ...(await bench.stored()) };
}

/** Time and CPU of a node that does nothing by itself, from the difference of a long agent and a short one. */
async function perNode(bench: Bench) {
  const [short, whole] = [await bench.agent(long(2)), await bench.agent(long(NODES + 1))];
  const time = async (path: string) => {
    const began = performance.now();
    const { all } = await cost(bench, () => bench.post(path, message('message/send')));
    return { ms: performance.now() - began, cpu: all / 1_000 };
  };
  const repeat = values.quick ? 5 : 15;
  const run = async (path: string) => {
    await time(path);
    const all: { ms: number; cpu: number }[] = [];
    for (let at = 0; at < repeat; at++) all.push(await time(path));
    const cpu = all.reduce((sum, one) => sum + one.cpu, 0) / all.length;
    return { ms: median(all.map(({ ms }) => ms)), cpu };
  };
  const [a, b] = [await run(short), await run(whole)];
  const nodes = NODES - 1;
  return { ms: (b.ms - a.ms) / nodes, cpuMs: (b.cpu - a.cpu) / nodes, emptyRunMs: a.ms };
}

/** A ratio of which less is better, where one runs beside the other. */
const report = (name: string, value: number, tolerance: number) =>
  reportFigure({ name: `agents: ${name}`, value, better: 'lower', tolerance });

const round = (value: number, digits = 2) => Number(value.toFixed(digits));

const bench = await openBench();
try {
  const tokens = await perToken(bench);
  const growth = await measureGrowth(bench);
  const nodes = await perNode(bench);
  report('CPU a token ÷ plain chat stream', tokens.agent.service.token / tokens.chat.service.token, 0.25);
  report(
    `CPU a token of ${MANY_TOKENS}, with the call ÷ plain chat stream`,
    tokens.agent.whole / tokens.chat.whole,
    0.2,
  );
  report('CPU a token, with PostgreSQL ÷ plain chat stream', tokens.agent.all.token / tokens.chat.all.token, 0.25);
  report(`CPU a token of ${LONG} tokens ÷ of ${SHORT}`, growth.ratio, 0.3);
  report('log, bytes a character of the answer', growth.bytes / growth.text, 0.05);
  if (values.json) console.log(JSON.stringify({ tokens, growth, nodes }));
  else {
    const { chat: plainChat, agent } = tokens;
    console.log(`CPU, ${STREAMS} streams of 40 tokens a second at once`);
    console.log(
      `                            a token, µs   a call, ms   a token of ${MANY_TOKENS}, with its share of the call`,
    );
    const line = (name: string, { token, call }: { token: number; call: number }, whole: number) =>
      console.log(
        `  ${name.padEnd(26)}${String(round(token, 1)).padStart(11)}${String(round(call / 1_000)).padStart(13)}${String(round(whole, 1)).padStart(15)}`,
      );
    line('plain chat stream', plainChat.service, plainChat.whole);
    line('agent over A2A', agent.service, agent.whole);
    console.log(
      `  ratio                     ${round(agent.service.token / plainChat.service.token)} a token, ${round(agent.whole / plainChat.whole)} with the call`,
    );
    console.log(
      `  with PostgreSQL           ${round(plainChat.all.token, 1)} and ${round(agent.all.token, 1)} µs a token, ${round(agent.all.call / 1_000)} ms a call`,
    );
    console.log(`Growth of a stream: CPU a token of ${LONG} tokens ${round(growth.ratio)} of that of ${SHORT}`);
    console.log(
      `  its log: ${growth.events} events, ${round(growth.bytes / growth.text)} bytes a character of the answer`,
    );
    console.log(`A node that does nothing itself: ${round(nodes.ms)} ms, ${round(nodes.cpuMs)} ms of CPU`);
    console.log(`A run of two nodes, from call to answer: ${round(nodes.emptyRunMs, 1)} ms`);
  }
} finally {
  await bench.close();
}
