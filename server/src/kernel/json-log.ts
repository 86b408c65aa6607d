import { write, writeSync } from 'node:fs';
import type { Logger } from './log.ts';

/** Least to most serious. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Takes finished lines. */
export interface LineSink {
  write(line: string): void;
  /** Writes what is left before it returns: for the last moment of a process. */
  flushSync(): void;
}

/** Lines wait at most this long for company. */
const FLUSH_MS = 20;
const FLUSH_CHARACTERS = 32 * 1024;
/** Beyond this a reader that has stopped reading costs lines, not memory. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

/** Gathers lines and writes them to a file descriptor off the caller's path. */
export function createLineSink(fd: number): LineSink {
  let waiting = '';
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  let busy: { readonly buffer: Buffer; offset: number } | null = null;

  const next = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (busy || waiting === '') return;
    if (dropped > 0) {
      waiting += `{"level":"warn","msg":"log lines were dropped as nobody read them","lines":${dropped}}\n`;
      dropped = 0;
    }
    busy = { buffer: Buffer.from(waiting, 'utf8'), offset: 0 };
    waiting = '';
    push();
  };
  const push = () => {
    if (!busy) return;
    const mine = busy;
    write(fd, mine.buffer, mine.offset, mine.buffer.length - mine.offset, null, (error, written) => {
      if (busy !== mine) return;
      if (error && error.code === 'EAGAIN') return void setTimeout(push, FLUSH_MS);
      mine.offset += written ?? 0;
      // A log that can't be written is no reason to stop serving.
      if (!error && mine.offset < mine.buffer.length) return push();
      busy = null;
      // What came meanwhile waits for company as well: a write costs more than a line.
      if (waiting.length >= FLUSH_CHARACTERS) next();
      else if (waiting !== '') timer ??= setTimeout(next, FLUSH_MS).unref();
    });
  };

  return {
    write(line) {
      if (waiting.length > MAX_WAITING_CHARACTERS) {
        dropped++;
        return;
      }
      waiting += line;
      if (waiting.length >= FLUSH_CHARACTERS) next();
      else timer ??= setTimeout(next, FLUSH_MS).unref();
    },
    flushSync() {
      const rest = Buffer.concat([
        busy ? busy.buffer.subarray(busy.offset) : Buffer.alloc(0),
        Buffer.from(waiting, 'utf8'),
      ]);
      busy = null;
      waiting = '';
      try {
        for (let offset = 0; offset < rest.length;) offset += writeSync(fd, rest, offset);
      } catch {
        // The reader is gone; there is nobody left to tell.
      }
    },
  };
}

/** An Error as plain data; JSON would leave it empty. */
function plainError(error: Error, depth = 0): object {
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause instanceof Error && depth < 4 ? { cause: plainError(error.cause, depth + 1) } : {}),
  };
}

/** Text that stands in JSON as it is. */
const PLAIN = /^[\w .:/-]*$/;
const SECRET = /^(authorization|cookie|password|secret|token|api_?key)$/i;

/** `,"key":value` for each field. Never throws: a log line must not break what it tells of. */
function render(fields: object): string {
  let text = '';
  for (const key of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[key];
    if (value === undefined) continue;
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
      text += `,"${key}":${typeof value === 'number' && !Number.isFinite(value) ? null : value}`;
      continue;
    }
    if (typeof value === 'string' && PLAIN.test(value) && !SECRET.test(key)) {
      text += `,"${key}":"${value}"`;
      continue;
    }
    const shown: unknown = SECRET.test(key) ? '(hidden)' : value instanceof Error ? plainError(value) : value;
    let json: string | undefined;
    try {
      json = JSON.stringify(shown, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
    } catch {
      json = '"(cannot be shown)"';
    }
    if (json !== undefined) text += `,${JSON.stringify(key)}:${json}`;
  }
  return text;
}

const COLOURS: Readonly<Record<LogLevel, string>> = {
  debug: '\x1b[2m',
  info: '\x1b[36m',
  warn: '\x1b[33m',
  error: '\x1b[31m',
};

/** A line for people: time, level, message, fields; the stack of an error below it. */
function pretty(level: LogLevel, message: string, json: string, time: Date): string {
  const fields = JSON.parse(`{${json.slice(1)}}`) as Record<string, unknown>;
  const stack = (fields['err'] as { stack?: string } | undefined)?.stack;
  delete fields['err'];
  const rest = Object.entries(fields)
    .map(([key, value]) => ` \x1b[2m${key}=\x1b[0m${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
  const clock = time.toTimeString().slice(0, 8);
  return `\x1b[2m${clock}\x1b[0m ${COLOURS[level]}${level.padEnd(5)}\x1b[0m ${message}${rest}${stack === undefined ? '' : `\n${stack}`}\n`;
}

/** ISO 8601 UTC of this millisecond: many lines are written in one. */
function createClock(): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}

const quote = (message: string) => (PLAIN.test(message) ? `"${message}"` : JSON.stringify(message));

export interface LogOptions {
  readonly sink: LineSink;
  readonly level: LogLevel;
  readonly format: 'json' | 'pretty';
}

/** A logger that writes a line of JSON an event: `level`, `time` (ISO 8601 UTC), `msg` and the fields. */
export function createLog({ sink, level, format }: LogOptions): Logger {
  const least = logLevels.indexOf(level);
  const timeNow = createClock();
  const make = (context: string): Logger => {
    const at = (name: LogLevel) => {
      if (logLevels.indexOf(name) < least) return () => undefined;
      return (fields: object, message: string) => {
        const json = render(fields) + context;
        sink.write(
          format === 'json'
            ? `{"level":"${name}","time":"${timeNow()}","msg":${quote(message)}${json}}\n`
            : pretty(name, message, json, new Date()),
        );
      };
    };
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => make(render(fields) + context),
    };
  };
  return make('');
}
