import type { Worker } from 'node:cluster';

/** A connection as Node.js hands it from the primary to a worker. Closing it twice does nothing. */
interface Connection {
  close(): void;
}

const isConnection = (message: unknown, handle: unknown): handle is Connection =>
  typeof message === 'object' &&
  message !== null &&
  'act' in message &&
  message.act === 'newconn' &&
  typeof handle === 'object' &&
  handle !== null &&
  'close' in handle;

/**
 * Closes the connection that was on its way to a worker when that worker ended. Node.js hands over one at a time and closes its own copy
 * when the worker acknowledges it. If the worker was killed before, Node.js leaks the copy, which stays open: the caller would get neither
 * a reply nor a close.
 */
export function closeOrphanedConnection(worker: Worker): void {
  const { process } = worker;
  const send = process.send.bind(process) as (...args: readonly unknown[]) => boolean;
  let last: Connection | null = null;
  process.send = (...args: readonly unknown[]) => {
    const [message, handle] = args;
    if (isConnection(message, handle)) last = handle;
    return send(...args);
  };
  worker.once('exit', () => last?.close());
}
