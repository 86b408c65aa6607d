import { ChatDecoder } from '../../server/src/adapters/engines/openai/decoder.ts';
import { streams } from '../../server/test/fixtures/streams/index.ts';
import { reportFigure } from '../figures.ts';

/** CPU time of the stream decoder an event, beside parsing each event and writing it again. Run: node bench/decoder/decoder.ts */

const EVENTS = 2000;
const ROUNDS = 60;

interface Shape {
  readonly name: string;
  readonly event: (i: number) => string;
}

const words = ['안녕', '하세요', ' the', ' quick', '\\n', ' 대한민국의 ', ' fox', '.'];
const word = (i: number) => words[i % words.length] ?? '';

const head =
  '"id":"chatcmpl-7c2b0f1d5a3e4b6c8d9e0f1a2b3c4d5e","object":"chat.completion.chunk","created":1735689600,"model":"served"';
const shapes: readonly Shape[] = [
  {
    name: 'one reasoning key',
    event: (i) =>
      `{${head},"choices":[{"index":0,"delta":{"reasoning":"${word(i)}"},"logprobs":null,"finish_reason":null}]}`,
  },
  {
    name: 'both reasoning keys',
    event: (i) =>
      `{${head},"choices":[{"index":0,"delta":{"reasoning":"${word(i)}","reasoning_content":"${word(i)}"},"logprobs":null,"finish_reason":null}]}`,
  },
  {
    name: 'random padding (never learned)',
    event: (i) =>
      `{${head},"choices":[{"index":0,"delta":{"content":"${word(i)}"},"logprobs":null,"finish_reason":null}],"obfuscation":"${(i * 7919) % 1000}"}`,
  },
];

function cpuMicros(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function decodeAll(events: readonly Buffer[]): number {
  let seen = 0;
  const decoder = new ChatDecoder({ engineId: 'bench', model: 'm' }, () => seen++);
  for (const event of events) decoder.push(event);
  return seen;
}

function parseAll(events: readonly Buffer[]): number {
  let size = 0;
  for (const event of events) size += JSON.stringify(JSON.parse(event.toString('utf8', 6))).length;
  return size;
}

console.log(`${streams.length} recorded streams; ${EVENTS} events a round, ${ROUNDS} rounds, one event a packet`);
for (const { name, event } of shapes) {
  const events = Array.from({ length: EVENTS }, (_, i) => Buffer.from(`data: ${event(i)}\n\n`));
  for (let i = 0; i < 10; i++) void (decodeAll(events), parseAll(events));
  const per = (run: () => void) =>
    cpuMicros(() => {
      for (let i = 0; i < ROUNDS; i++) run();
    }) /
    (EVENTS * ROUNDS);
  const [decoded, parsed] = [per(() => decodeAll(events)), per(() => parseAll(events))];
  console.log(`${name}: ${decoded.toFixed(2)} µs an event; parse and stringify ${parsed.toFixed(2)} µs`);
  reportFigure({
    name: `decoder: ${name}, CPU an event ÷ parse and stringify`,
    value: decoded / parsed,
    better: 'lower',
    tolerance: 0.3,
  });
}
