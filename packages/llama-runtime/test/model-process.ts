import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

// Stands in for a process with a model: the "model file" is JSON that says how it behaves.

interface Behaviour {
  /** What the load comes to; `hang` never does, `memory-once` is `memory` the first time and then `ready`, `cut` is a file that ends meanwhile. */
  readonly load?: 'ready' | 'corrupt' | 'memory' | 'memory-once' | 'exit' | 'hang' | 'cut';
  readonly loadMs?: number;
  /**
   * `stream`: endless; `exit`: ends itself in the middle of it; `die`: before it; `die-once`: the first time; `whole`: a reply at once;
   * `busy`: 503.
   */
  readonly chat?: 'stream' | 'exit' | 'die' | 'die-once' | 'whole' | 'busy';
  /** `numbers`: none in its vectors, as of damaged weights; `exit`: ends itself at each request; a vector where it is left out. */
  readonly embed?: 'numbers' | 'exit';
}

interface Settings {
  readonly modelPath: string;
  readonly modelId: string;
  readonly socketPath: string;
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

function serve({ modelPath, socketPath, modelId }: Settings, behaviour: Behaviour): void {
  createServer((request, response) => {
    if (request.url?.endsWith('/embeddings') === true) {
      if (behaviour.embed === 'exit') process.exit(7);
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          data: [{ index: 0, embedding: [behaviour.embed === 'numbers' ? Number.NaN : process.pid] }],
          usage: { prompt_tokens: 1, total_tokens: 1 },
        }),
      );
      return;
    }
    if (behaviour.chat === 'die' || (behaviour.chat === 'die-once' && isFirst(modelPath))) process.exit(7);
    if (behaviour.chat === 'busy')
      return void response.writeHead(503, { 'retry-after': '3' }).end('{"error":{"message":"full"}}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant', content: `${modelId} ${process.pid}` }));
    if (behaviour.chat === 'exit') setTimeout(() => process.exit(7), 20);
    else if (behaviour.chat === 'stream') {
      const timer = setInterval(() => response.write(chunk({ content: '.' })), 5);
      response.on('close', () => clearInterval(timer));
    } else response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
  }).listen(socketPath, () => process.send?.({ type: 'ready' }));
}

function isFirst(path: string): boolean {
  const mark = `${path}.tried`;
  if (existsSync(mark)) return false;
  writeFileSync(mark, '');
  return true;
}

process.on('disconnect', () => process.exit(0));
process.on('message', ({ settings }: { settings: Settings }) => {
  const behaviour = JSON.parse(readFileSync(settings.modelPath, 'utf8')) as Behaviour;
  process.send?.({ type: 'progress', fraction: 0.5 });
  setTimeout(() => {
    const load =
      behaviour.load === 'memory-once'
        ? isFirst(settings.modelPath)
          ? 'memory'
          : 'ready'
        : (behaviour.load ?? 'ready');
    if (load === 'ready') serve(settings, behaviour);
    else if (load === 'exit') process.exit(3);
    else if (load === 'cut') process.kill(process.pid, 'SIGBUS');
    else if (load !== 'hang') process.send?.({ type: 'failed', kind: load, message: 'a reason for people.' });
  }, behaviour.loadMs ?? 0);
});
