import { probeServer } from '../../compose/engines.ts';
import { findLocalServers } from '../../model-servers/index.ts';

/** A model server found on this machine. */
export interface LocalServer {
  readonly url: string;
  /** Name of the server that uses this port by default. */
  readonly name: string;
  readonly models: readonly string[];
}

/** Ports that model servers choose by themselves. Source: the documentation of each. */
const defaultServers: Readonly<Record<number, string>> = {
  11434: 'ollama',
  1234: 'lmstudio',
  8000: 'vllm',
  8080: 'llama-server',
  8081: 'llama-server',
  30000: 'sglang',
  3000: 'tgi',
};

/** Looks for model servers on 127.0.0.1, all ports at once, for a fraction of a second. */
export async function probeLocalServers(ports: readonly number[], ownPort: number): Promise<LocalServer[]> {
  const others = ports.filter((port) => port !== ownPort);
  const found = await findLocalServers(others, probeServer);
  return found.map(({ baseUrl: url, models }) => {
    const port = Number(new URL(url).port);
    return { url, name: defaultServers[port] ?? `local-${port}`, models };
  });
}

/** Lines of studio.yaml that bind the default model to what was found. */
export function configSnippet(found: readonly LocalServer[], modelId: string): string {
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
