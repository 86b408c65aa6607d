import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { readGgufHeader } from '../gguf-header.ts';
import { readFacts } from './header.ts';
import { failureOf } from './model.ts';
import { type ChildSettings, LoadFailure, type ReadyInfo, type ServerSettings } from './settings.ts';

// A model that llama-server of llama.cpp runs, in place of the bundled runtime. Source of flags and replies: llama.cpp,
// tools/server/README.md.

/** A llama-server that takes requests at the socket of the settings. */
export interface RunningServer {
  readonly info: Pick<ReadyInfo, 'contextLength'>;
  /** Resolves with how it ended, for whatever reason. */
  readonly gone: Promise<string>;
  /** Ends it, by force after a moment. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly settings: ChildSettings;
  readonly server: ServerSettings;
  /** Called now and then while it loads. */
  readonly onAlive: () => void;
  /** What it writes, in whole lines. */
  readonly onOutput: (text: string) => void;
}

const HELP_TIMEOUT_MS = 20_000;
const POLL_MS = 50;
const ALIVE_EVERY_MS = 5_000;
const STOP_MS = 1_000;
/** Of what it wrote last: a failed load is told in it. */
const TAIL_CHARS = 16_000;
/** See `child.ts` of the supervisor: this is the process that holds the memory. */
const OOM_SCORE = '600';
/** Texts of several requests share a step of so many tokens. */
const TEXT_BATCH = 2_048;

/** Settings of llama.cpp that would count over these flags, and secrets that are none of its business. */
const HIDDEN_VARIABLES = /^(LLAMA_|HF_|STUDIO_)|PASSWORD|SECRET|TOKEN|_KEY$/;
const environment = (): NodeJS.ProcessEnv =>
  // oxlint-disable-next-line node/no-process-env -- nothing is read of it: the program gets it without these
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !HIDDEN_VARIABLES.test(name)));

const cannotStart = (why: string, cause?: unknown) =>
  new LoadFailure('runtime', `llama-server (local_models.llama_server) could not be started: ${why}`, cause);

/** Flags that this build knows, by its own help. Throws a LoadFailure of kind `runtime`. */
async function readKnownFlags({ binary }: ServerSettings): Promise<ReadonlySet<string>> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const limits = { timeout: HELP_TIMEOUT_MS, maxBuffer: 1024 * 1024, env: environment() };
  execFile(binary, ['--help'], limits, (error, stdout, stderr) => {
    const { code } = (error ?? {}) as { code?: unknown };
    if (code === 'ENOENT') reject(cannotStart('there is no such file.', error));
    else if (code === 'EACCES') reject(cannotStart('the file may not be run.', error));
    else resolve(`${stdout}\n${stderr}`);
  });
  const flags = new Set((await promise).match(/(?<![\w-])--?[a-z][\w-]*/g));
  if (!flags.has('--model') || !flags.has('--host')) throw cannotStart('it does not know the flags of llama-server.');
  return flags;
}

/**
 * Flags by which a reranker of a WordPiece vocabulary reads its pairs as it was trained, `[CLS] query [SEP] document [SEP]`: by itself
 * llama-server leaves the last mark out, and orders documents otherwise. Source: llama.cpp, tools/server, `format_prompt_rerank`.
 */
async function pairFlags({ kind, modelPath }: ChildSettings, known: ReadonlySet<string>): Promise<readonly string[]> {
  if (kind !== 'rerank' || !known.has('--override-kv')) return [];
  // Of a file that cannot be read the server says what is wrong.
  const metadata = await readGgufHeader(modelPath).catch(() => null);
  const { wordPiece = false, rerankTemplate = null } = (metadata && readFacts(metadata)) ?? {};
  if (!wordPiece || rerankTemplate !== null) return [];
  // The mark stands for the end of a text where there is no other. Older builds take one key a flag.
  return ['add_eos_token=bool:true', 'add_sep_token=bool:false'].flatMap((key) => [
    '--override-kv',
    `tokenizer.ggml.${key}`,
  ]);
}

/** The flags of a model. `known`: those of this build, as some are newer than others. */
function serverArguments(
  settings: ChildSettings,
  { projector }: ServerSettings,
  known: ReadonlySet<string>,
): readonly string[] {
  const { kind, contextLength, gpu, pooling = null, assumedPooling = null, normalize = true } = settings;
  const parallel = kind === 'chat' ? settings.parallel : Math.max(1, settings.lanes ?? settings.parallel);
  const where = known.has(kind === 'embedding' ? '--embeddings' : '--reranking');
  const optional = (...flag: readonly string[]) => (known.has(flag[0] ?? '') ? flag : []);
  const layers = gpu === 'off' || gpu === false ? 0 : typeof gpu === 'number' ? gpu : null;
  const pooled = pooling ?? assumedPooling;
  // An encoder reads a text in one step.
  const batch = String(Math.max(TEXT_BATCH, contextLength));
  // Texts that are read at one time share the context, which is planned for one of the longest.
  const isShared = kind !== 'chat' && known.has('--kv-unified');
  const pairs = {
    '--model': settings.modelPath,
    '--alias': settings.modelId,
    '--host': settings.socketPath,
    '--ctx-size': String(contextLength * (isShared ? 1 : parallel)),
    '--parallel': String(parallel),
    '--threads': String(settings.threads),
  };
  return [
    ...Object.entries(pairs).flat(),
    ...optional('--threads-batch', pairs['--threads']),
    ...(layers === null ? [] : ['--n-gpu-layers', String(layers)]),
    // Everything that could open files or addresses, or take memory that nobody has planned.
    ...optional('--offline'),
    ...optional('--no-webui'),
    ...optional('--no-slots'),
    ...optional('--cache-ram', '0'),
    ...optional('--fit', 'off'),
    ...optional(isShared ? '--kv-unified' : '--no-kv-unified'),
    ...(kind === 'chat' ? optional('--jinja') : ['--batch-size', batch, '--ubatch-size', batch]),
    ...(kind === 'embedding' ? [where ? '--embeddings' : '--embedding'] : []),
    ...(kind === 'embedding' && pooled !== null ? ['--pooling', pooled] : []),
    ...(kind === 'embedding' && !normalize ? optional('--embd-normalize', '-1') : []),
    ...(kind === 'rerank' ? [where ? '--reranking' : '--rerank'] : []),
    ...(projector === null ? optional('--no-mmproj') : ['--mmproj', projector]),
  ];
}

interface Page {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A page of the server; null while nobody listens. */
function get(socketPath: string, path: string): Promise<Page | null> {
  const { promise, resolve } = Promise.withResolvers<Page | null>();
  const call = request({ socketPath, path, timeout: HELP_TIMEOUT_MS }, (reply) => {
    let text = '';
    reply.setEncoding('utf8').on('data', (part: string) => (text += part));
    reply.on('end', () => {
      try {
        resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text) as Page['body'] });
      } catch {
        resolve({ status: reply.statusCode ?? 0, body: {} });
      }
    });
    reply.on('error', () => resolve(null));
  });
  call.once('error', () => resolve(null));
  call.once('timeout', () => call.destroy());
  call.end();
  return promise;
}

/** Paths of the machine are none of the callers' business. */
const withoutPaths = (text: string) => text.replace(/(['"]?)\/[^\s'"]+\1/g, '…');

/** Why it ended before it took requests, by what it wrote. */
function failureOfServer(output: string, how: string): LoadFailure {
  const lines = output.split('\n').map((line) => line.trim());
  const refused = lines.find((line) => /invalid argument|unknown argument|error while handling argument/i.test(line));
  if (refused !== undefined) return cannotStart(`${withoutPaths(refused)}.`);
  if (lines.some((line) => /mmproj|clip_|mtmd|multimodal/i.test(line) && /fail|error|mismatch|unable/i.test(line)))
    return new LoadFailure(
      'corrupt',
      'llama-server cannot use the projector (mmproj): it is damaged, or is that of another model.',
    );
  if (/error loading model|failed to load model|alloc|out of memory/i.test(output))
    return failureOf(withoutPaths(output));
  if (how === 'SIGKILL')
    return new LoadFailure('memory', 'llama-server was ended by SIGKILL; the system does so when memory runs out.');
  const last = withoutPaths(lines.findLast((line) => line !== '') ?? '');
  return cannotStart(`it ended (${how})${last === '' ? '' : `: ${last}`}.`);
}

async function end(child: ChildProcess, gone: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(late);
}

/** The context of each request, as the server has it. */
function contextOf(props: Page | null): number | null {
  const settings = props?.body['default_generation_settings'];
  const length = typeof settings === 'object' && settings !== null ? (settings as Page['body'])['n_ctx'] : null;
  return typeof length === 'number' ? length : null;
}

/** Starts llama-server with a model and waits until it takes requests. Throws a LoadFailure. */
export async function startLlamaServer(options: ServerOptions): Promise<RunningServer> {
  const { settings, server, onAlive, onOutput } = options;
  const { socketPath } = settings;
  const known = await readKnownFlags(server);
  const args = [...serverArguments(settings, server, known), ...(await pairFlags(settings, known)), ...server.args];
  // In a group of its own, signals of a terminal do not reach it: open answers are finished first.
  const child = spawn(server.binary, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment(), detached: true });
  const { promise: gone, resolve: setGone } = Promise.withResolvers<string>();
  let ended: string | null = null;
  let output = '';
  const note = (text: string) => {
    output = (output + text).slice(-TAIL_CHARS);
    onOutput(text);
  };
  child.stdout.setEncoding('utf8').on('data', note);
  child.stderr.setEncoding('utf8').on('data', note);
  const onEnd = (how: string) => {
    ended = how;
    setGone(how);
  };
  child.once('error', (error) => onEnd(error.message));
  // After `exit` there may be more of what it wrote.
  child.once('close', (code, signal) => onEnd(signal ?? `exit code ${code}`));
  process.once('exit', () => child.kill('SIGKILL'));
  // Only Linux has it.
  if (child.pid !== undefined) writeFile(`/proc/${child.pid}/oom_score_adj`, OOM_SCORE).catch(() => undefined);
  let saidMs = 0;
  for (;;) {
    const health = await get(socketPath, '/health');
    if (ended !== null) throw failureOfServer(output, ended);
    if (health?.status === 200) break;
    if (performance.now() - saidMs > ALIVE_EVERY_MS) {
      saidMs = performance.now();
      onAlive();
    }
    await wait(POLL_MS);
  }
  const contextLength = contextOf(await get(socketPath, '/props')) ?? settings.contextLength;
  return { info: { contextLength }, gone, stop: () => end(child, gone) };
}
