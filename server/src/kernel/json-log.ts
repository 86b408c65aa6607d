import { write, writeSync } from 'node:fs';
import type { Logger } from './log.ts';
import { memoizeNames } from './memoize.ts';

/** In order of severity. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Receives complete lines. */
export interface LineSink {
  write(line: string): void;
  /** Writes all buffered lines before it returns: for the end of a process. */
  flushSync(): void;
}

/** Maximum time that lines are buffered. */
const FLUSH_MS = 20;
const FLUSH_CHARACTERS = 32 * 1024;
/** Text up to this length is encoded in memory that is kept. */
const MAX_ENCODED_CHARACTERS = 2 * FLUSH_CHARACTERS;
/** Of a UTF-16 unit. */
const MAX_UTF8_BYTES = 3;
/** Limit of the buffer: when the reader has stopped reading, further lines are dropped. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024;

/** Buffers lines and writes them to a file descriptor asynchronously. */
export function createLineSink(fd: number): LineSink {
  let buffered = '';
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: { readonly buffer: Buffer; offset: number } | null = null;
  /** What is written stands here: no more than one write is under way. */
  let memory: Buffer | null = null;

  const encode = (text: string): Buffer => {
    if (text.length > MAX_ENCODED_CHARACTERS) return Buffer.from(text, 'utf8');
    memory ??= Buffer.allocUnsafeSlow(MAX_ENCODED_CHARACTERS * MAX_UTF8_BYTES);
    // Without a look at how long it will be, which would take as long again.
    return memory.subarray(0, memory.write(text, 'utf8'));
  };

  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (writing || buffered === '') return;
    if (dropped > 0) {
      buffered += `{"level":"warn","msg":"log lines were dropped as nobody read them","lines":${dropped}}\n`;
      dropped = 0;
    }
    writing = { buffer: encode(buffered), offset: 0 };
    buffered = '';
    writeNext();
  };
  const writeNext = () => {
    if (!writing) return;
    const current = writing;
    write(fd, current.buffer, current.offset, current.buffer.length - current.offset, null, (error, written) => {
      if (writing !== current) return;
      if (error && error.code === 'EAGAIN') return void setTimeout(writeNext, FLUSH_MS);
      current.offset += written ?? 0;
      // The service goes on when the log can't be written.
      if (!error && current.offset < current.buffer.length) return writeNext();
      writing = null;
      // Lines that came meanwhile are buffered too: a write costs more than a line.
      if (buffered.length >= FLUSH_CHARACTERS) flush();
      else if (buffered !== '') timer ??= setTimeout(flush, FLUSH_MS).unref();
    });
  };

  return {
    write(line) {
      if (buffered.length > MAX_WAITING_CHARACTERS) {
        dropped++;
        return;
      }
      buffered += line;
      if (buffered.length >= FLUSH_CHARACTERS) flush();
      else timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    flushSync() {
      const remaining = Buffer.concat([
        writing ? writing.buffer.subarray(writing.offset) : Buffer.alloc(0),
        Buffer.from(buffered, 'utf8'),
      ]);
      // The system may still read what it was given before.
      if (writing) memory = null;
      writing = null;
      buffered = '';
      try {
        for (let offset = 0; offset < remaining.length;) offset += writeSync(fd, remaining, offset);
      } catch {
        // The reader is gone; there is nowhere left to report it.
      }
    },
  };
}

/** An Error as a plain object; JSON.stringify would return an empty one. */
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

/** Text that needs no escape in JSON: printable ASCII without the quote and the backslash. */
const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/;
const quote = (text: string) => (NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text));
const SECRET = /^(authorization|cookie|password|secret|token|api_?key)$/i;
/** The name of a field as it stands before its value, and whether that is hidden. */
const fieldOf = memoizeNames((name) => ({ start: `,${JSON.stringify(name)}:`, isSecret: SECRET.test(name) }));
const HIDDEN = '"(hidden)"';

/** JSON of a value; undefined for what has none, such as a function. */
function jsonOf(value: unknown): string | undefined {
  const shown = value instanceof Error ? plainError(value) : value;
  try {
    return JSON.stringify(shown, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
  } catch {
    return '"(cannot be shown)"';
  }
}

/** Renders each field as `,"key":value`. Never throws: logging must not break the code that logs. */
function render(fields: object): string {
  let text = '';
  for (const key of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[key];
    if (value === undefined) continue;
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
      text += `,"${key}":${typeof value === 'number' && !Number.isFinite(value) ? null : value}`;
      continue;
    }
    const { start, isSecret } = fieldOf(key);
    const json = isSecret ? HIDDEN : typeof value === 'string' ? quote(value) : jsonOf(value);
    if (json !== undefined) text += start + json;
  }
  return text;
}

const COLOURS: Readonly<Record<LogLevel, string>> = {
  debug: '\x1b[2m',
  info: '\x1b[36m',
  warn: '\x1b[33m',
  error: '\x1b[31m',
};

/** Renders a line for people: time, level, message, fields, and the stack of an error below it. */
function pretty(level: LogLevel, message: string, json: string, time: Date): string {
  const fields = JSON.parse(`{${json.slice(1)}}`) as Record<string, unknown>;
  const stack = (fields['err'] as { stack?: string } | undefined)?.stack;
  delete fields['err'];
  const remaining = Object.entries(fields)
    .map(([key, value]) => ` \x1b[2m${key}=\x1b[0m${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
  const timeOfDay = time.toTimeString().slice(0, 8);
  return `\x1b[2m${timeOfDay}\x1b[0m ${COLOURS[level]}${level.padEnd(5)}\x1b[0m ${message}${remaining}${stack === undefined ? '' : `\n${stack}`}\n`;
}

/** Returns the current time in ISO 8601 UTC, rendered once a millisecond, as many lines share one. */
function createClock(): () => string {
  let logAt = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== logAt) {
      logAt = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}

export interface LogOptions {
  readonly sink: LineSink;
  readonly level: LogLevel;
  readonly format: 'json' | 'pretty';
}

/** Creates a logger that writes each event as a line of JSON: `level`, `time` (ISO 8601 UTC), `msg` and the fields. */
export function createLog({ sink, level, format }: LogOptions): Logger {
  const minLevel = logLevels.indexOf(level);
  const timeNow = createClock();
  const createLogger = (context: string): Logger => {
    const logAt = (name: LogLevel) => {
      if (logLevels.indexOf(name) < minLevel) return () => undefined;
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
      debug: logAt('debug'),
      info: logAt('info'),
      warn: logAt('warn'),
      error: logAt('error'),
      child: (fields) => createLogger(render(fields) + context),
    };
  };
  return createLogger('');
}
