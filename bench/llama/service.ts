/** The whole service with a local model, and streamed requests to it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type Programs, sleep } from '../gateway/children.ts';

const KEY = 'a-key-for-the-benchmark';

export interface BenchServiceOptions {
  /** Where its models are. */
  readonly dataFolder: string;
  /** Members of `local_models`. */
  readonly localModels: object;
}

/** Where the service answers, and the key to it. */
export interface BenchService {
  readonly base: string;
  readonly key: string;
}

/** Starts the service and waits until it is ready. */
export async function startBenchService(
  programs: Programs,
  { dataFolder, localModels }: BenchServiceOptions,
): Promise<BenchService> {
  const port = await freePort();
  const file = join(dataFolder, 'studio.yaml');
  writeFileSync(
    file,
    JSON.stringify({
      data_dir: dataFolder,
      server: { port },
      limits: { requests_per_minute: 2_000_000_000, tokens_per_minute: 9_000_000_000_000 },
      local_models: localModels,
      probe: { enabled: false },
    }),
  );
  const program = programs.start(process.execPath, [join(import.meta.dirname, '../../server/src/main.mjs'), 'serve'], {
    core: null,
    env: { STUDIO_CONFIG: file, STUDIO_INIT_API_KEY: KEY },
  });
  const base = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`${base}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ready) break;
    if (tries > 300 || program.child.exitCode !== null)
      throw new Error(`the service does not start\n${program.output()}`);
    await sleep(200);
  }
  return { base, key: KEY };
}

let serial = 0;

/** A text of about so many tokens: the model has one for each byte. */
const promptText = (tokens: number) => {
  serial++;
  const start = `${serial} `;
  return (
    start +
    Array.from({ length: tokens - start.length }, (_, i) =>
      String.fromCharCode(97 + ((i * 7 + serial * 13) % 26)),
    ).join('')
  );
};

export interface Stream {
  /** When each event with text came, in milliseconds: a token, or a few whose bytes make one letter. */
  readonly at: readonly number[];
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** One streamed request to a model of the service. */
export async function stream(
  { base, key }: BenchService,
  model: string,
  promptTokens: number,
  replyTokens: number,
  onFirst?: () => void,
): Promise<Stream> {
  const reply = await fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: promptText(promptTokens) }],
      max_tokens: replyTokens,
      ignore_eos: true,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    }),
  });
  if (!reply.ok || !reply.body) throw new Error(`${reply.status} ${await reply.text()}`);
  const at: number[] = [];
  let usage: Usage | null = null;
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of reply.body as AsyncIterable<Uint8Array>) {
    const now = performance.now();
    const events = (rest + decoder.decode(part, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const chunk = chunkOf(event);
      usage = chunk?.usage ?? usage;
      if (!chunk?.choices.some(({ delta, finish_reason }) => delta.content || finish_reason)) continue;
      if (at.length === 0) onFirst?.();
      at.push(now);
    }
  }
  if (usage === null) throw new Error('a stream ended without its usage');
  return { at, promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string }; readonly finish_reason: string | null }[];
  readonly usage?: Usage | null;
}

function chunkOf(event: string): Chunk | null {
  const data = /^data: (\{.*)$/s.exec(event)?.[1];
  if (data === undefined) return null;
  const chunk = JSON.parse(data) as Chunk & { readonly error?: unknown };
  if (chunk.error) throw new Error(data);
  return chunk;
}
