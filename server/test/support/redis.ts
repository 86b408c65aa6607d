import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { eventually } from './eventually.ts';
import { temporaryFolder } from './postgres.ts';
import { freePort } from './service.ts';

/** A Redis of one's own, with a password, that keeps nothing on the disk. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** kill -9; what it held is lost. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  /** From now on it takes connections and answers nothing, until `goOn`. */
  hang(): void;
  goOn(): void;
  /** Sends a command, such as `['GET', 'a']`, and returns the answer as Redis writes it. */
  send(words: readonly string[]): Promise<string>;
  /** Ends it and removes its folder. Safe to repeat. */
  close(): Promise<void>;
}

const PASSWORD = 'test-password';

function ask(port: number, lines: readonly (readonly string[])[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const words of [['AUTH', PASSWORD], ...lines, ['QUIT']])
        socket.write(
          `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`,
        );
    });
    socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
    socket.once('error', reject);
    // The first answer is that of AUTH, the last that of QUIT.
    socket.once('close', () => resolve(heard.replace(/^\+OK\r\n/, '').replace(/\+OK\r\n$/, '')));
  });
}

/** Starts the program `redis-server` on a free port. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const folder = temporaryFolder('studio-redis-');
  let child: ChildProcess | null = null;

  const end = async () => {
    const last = child;
    child = null;
    if (last === null || last.exitCode !== null) return;
    const exited = once(last, 'exit');
    last.kill('SIGKILL');
    await exited;
  };
  const start = async () => {
    const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', requirepass: PASSWORD };
    const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const started = spawn('redis-server', words, { stdio: 'ignore' });
    child = started;
    await once(started, 'spawn');
    await eventually(async () => {
      const answer = await ask(port, [['PING']]);
      if (!answer.includes('PONG')) throw new Error(`Redis says ${answer}`);
    });
  };
  await start();
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    port,
    kill: end,
    start,
    hang: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    send: (words) => ask(port, [words]),
    async close() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
