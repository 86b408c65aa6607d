import { connect } from 'node:net';
import { createProbeEngine } from '../../compose.ts';
import type { Logger } from '../../kernel/log.ts';

/** A model server found on this machine. */
export interface Found {
  readonly url: string;
  /** What usually listens there. */
  readonly name: string;
  readonly models: readonly string[];
}

const PATIENCE_MS = 300;

/** Ports that model servers choose by themselves. Source: the documentation of each. */
const usual: Readonly<Record<number, string>> = {
  11434: 'ollama',
  1234: 'lmstudio',
  8000: 'vllm',
  8080: 'llama-server',
  8081: 'llama-server',
  30000: 'sglang',
  3000: 'tgi',
};

/** Whether anything listens; asked first, as most ports are silent. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (answer: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(false), PATIENCE_MS);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

async function look(port: number, log: Logger): Promise<Found | null> {
  if (!(await listens(port))) return null;
  const url = `http://127.0.0.1:${port}/v1`;
  const engine = createProbeEngine(url, log);
  try {
    const models = await engine.models(AbortSignal.timeout(PATIENCE_MS));
    return models.length === 0
      ? null
      : { url, name: usual[port] ?? `local-${port}`, models: models.map(({ name }) => name) };
  } catch {
    return null;
  } finally {
    await engine.close();
  }
}

/** Looks for model servers on 127.0.0.1, all ports at once, for a fraction of a second. */
export async function probeLocalServers(ports: readonly number[], ownPort: number, log: Logger): Promise<Found[]> {
  const found = await Promise.all(ports.filter((port) => port !== ownPort).map((port) => look(port, log)));
  return found.filter((one) => one !== null);
}

/** Lines of studio.yaml that bind the default model to what was found. */
export function snippetFor(found: readonly Found[], modelId: string): string {
  const engines = found.flatMap(({ name, url, models }, i) => {
    const unique = found.findIndex((other) => other.name === name) === i ? name : `${name}-${i}`;
    return [
      `  ${unique}:                       # has: ${models.slice(0, 6).join(', ')}${models.length > 6 ? ', …' : ''}`,
      `    addresses: [${url}]`,
    ];
  });
  const [first] = found;
  const model = first?.models.find((name) => !/embed|bge|rerank|whisper|tts/i.test(name)) ?? first?.models[0] ?? '';
  return [
    'engines:',
    ...engines,
    'models:',
    `  ${modelId}:`,
    '    engines:',
    `      - {engine: ${first?.name ?? ''}, model: ${JSON.stringify(model)}}`,
  ].join('\n');
}
