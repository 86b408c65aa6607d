import { mkdir, readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { join } from 'node:path';
import { type ErrorCode, StudioError, errorCodes } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import type { ModelRuntime, RuntimeState, TriedEmbedder } from './runtime.ts';
import { writeAtomically } from './write-whole.ts';

// The process that holds the models serves other processes of this machine (workers, commands) on a Unix socket that only its user
// can open. A file in the folder of models holds its address; without a reply behind it, the file is stale.

interface Address {
  readonly pid: number;
  readonly socket: string;
}

const addressPath = (folder: string) => join(folder, '.service.json');

/** Maximum length of a message, more than any list of models needs. */
const MAX_CHARS = 1024 * 1024;
/** A healthy service replies immediately. */
const STATE_TIMEOUT_MS = 2_000;
/** The model may have to be loaded first. */
const TRY_TIMEOUT_MS = 120_000;

async function readBody(message: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  message.setEncoding('utf8');
  for await (const chunk of message) {
    text += String(chunk);
    if (text.length > MAX_CHARS) throw new StudioError('too_large', 'The message is too large');
  }
  const value: unknown = text === '' ? {} : JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

async function runCommand(runtime: ModelRuntime, message: IncomingMessage, clientGone: AbortSignal): Promise<unknown> {
  const { id, force } = await readBody(message);
  switch (`${message.method} ${message.url}`) {
    case 'GET /state':
      return runtime.state();
    case 'POST /load':
      await runtime.load(String(id), clientGone);
      return {};
    case 'POST /unload':
      await runtime.unload(String(id), force === true);
      return {};
    case 'POST /try':
      return runtime.tryEmbedder(String(id));
    default:
      throw new StudioError('not_found', 'There is no such command');
  }
}

/** Serves the other processes of this machine. Resolves with a function that stops it, which is safe to repeat. */
export async function serveRuntime(
  folder: string,
  socket: string,
  runtime: ModelRuntime,
  log: Logger,
): Promise<() => Promise<void>> {
  const respond = async (message: IncomingMessage, response: ServerResponse) => {
    const clientGone = new AbortController();
    response.once('close', () => clientGone.abort(new StudioError('client_closed', 'Nobody waits for it any more')));
    let status = 200;
    let reply: unknown;
    try {
      reply = await runCommand(runtime, message, clientGone.signal);
    } catch (error) {
      status = 500;
      const code = error instanceof StudioError ? error.code : 'internal';
      const message = error instanceof Error ? error.message : String(error);
      reply = {
        code,
        message,
        ...(error instanceof StudioError ? { reason: error.reason, values: error.values } : {}),
      };
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  };
  const server = createServer((message, response) => {
    respond(message, response).catch((error: unknown) => log.error({ err: error }, 'command on models failed'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  server.on('error', (error) => log.error({ err: error }, 'commands on models cannot be taken'));
  try {
    await writeAtomically(addressPath(folder), `${JSON.stringify({ pid: process.pid, socket } satisfies Address)}\n`);
  } catch (error) {
    server.close();
    throw error;
  }
  let closing: Promise<void> | null = null;
  const close = async () => {
    const address = await readAddress(folder);
    if (address?.pid === process.pid) await rm(addressPath(folder), { force: true });
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return () => (closing ??= close());
}

/** The same; a folder that cannot be written to, such as a mounted one, is only told of in the log. */
export async function announceRuntime(...given: Parameters<typeof serveRuntime>): Promise<() => Promise<void>> {
  const [folder, , , log] = given;
  try {
    await mkdir(folder, { recursive: true });
    return await serveRuntime(...given);
  } catch (error) {
    log.warn(
      { folder, err: error },
      'commands cannot see or change what is in memory: the folder cannot be written to',
    );
    return () => Promise.resolve();
  }
}

async function readAddress(folder: string): Promise<Address | null> {
  try {
    const address = JSON.parse(await readFile(addressPath(folder), 'utf8')) as Address;
    return typeof address.socket === 'string' ? address : null;
  } catch {
    return null;
  }
}

const toErrorCode = (code: unknown): ErrorCode => errorCodes.find((errorCode) => errorCode === code) ?? 'internal';

/** Sends a command. Null where no service replies. Rejects with the StudioError of the service. */
async function sendCommand(
  folder: string,
  method: string,
  path: string,
  body: object | null,
  signal: AbortSignal,
): Promise<unknown> {
  const address = await readAddress(folder);
  if (!address) return null;
  const reply = await new Promise<IncomingMessage | null>((resolve, reject) => {
    const clientRequest = request({ socketPath: address.socket, method, path, signal }, resolve);
    clientRequest.once('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason as Error);
      // The service has ended, or belongs to another user.
      else if (['ENOENT', 'ECONNREFUSED', 'EACCES', 'ECONNRESET', 'ENOTSOCK', 'EPERM'].includes(error.code ?? ''))
        resolve(null);
      else reject(error);
    });
    clientRequest.end(body ? JSON.stringify(body) : undefined);
  });
  if (!reply) return null;
  const content = await readBody(reply);
  if (reply.statusCode === 200) return content;
  const { reason, values } = content;
  throw new StudioError(toErrorCode(content['code']), String(content['message']), {
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof values === 'object' && values !== null ? { values: values as Record<string, string | number> } : {}),
  });
}

const notRunning = () =>
  new StudioError('unavailable', 'No service is running here that could load a model; start it with "studio serve"');

/** The runtime of the process that holds the models of a folder, for use in other processes. */
export function createRemoteRuntime(folder: string): ModelRuntime {
  return {
    async state() {
      const signal = AbortSignal.timeout(STATE_TIMEOUT_MS);
      return (await sendCommand(folder, 'GET', '/state', null, signal).catch(() => null)) as RuntimeState | null;
    },
    async load(id, signal) {
      if ((await sendCommand(folder, 'POST', '/load', { id }, signal)) === null) throw notRunning();
    },
    async unload(id, force) {
      // Without a service, no model is loaded.
      await sendCommand(folder, 'POST', '/unload', { id, force }, AbortSignal.timeout(60_000));
    },
    async tryEmbedder(id) {
      const signal = AbortSignal.timeout(TRY_TIMEOUT_MS);
      return (await sendCommand(folder, 'POST', '/try', { id }, signal)) as TriedEmbedder | null;
    },
  };
}
