import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Failures } from '../failures.ts';
import { type OfficeTarget, ParseError } from '../parse-error.ts';
import { createFairQueue } from './fair-queue.ts';
import { groupBytes } from './process-stats.ts';
import type { WorkerOptions, WorkerRun } from './worker.ts';

/** A file to be saved as another format. */
export interface OfficeFile {
  readonly path: string;
  readonly as: OfficeTarget;
  /** What is said of it where the program is not there. */
  readonly refusal: ParseError;
}

/** Has older Office files saved as new ones by LibreOffice, one at a time: it takes a core and some 300 MB. Tenants take turns. */
export interface OfficeConverter {
  /**
   * Resolves with what `use` makes of the new file, which is removed then. Rejects with ParseError (`CORRUPTED` where the program
   * makes nothing of it, `TIMEOUT`, `TOO_LARGE`, the refusal where the program cannot be started), with `unavailable` of the failures
   * when too many wait or it was closed, or with the signal's reason.
   */
  convert<T>(
    tenant: string,
    file: OfficeFile,
    run: Pick<WorkerRun, 'timeoutMs' | 'signal'>,
    use: (path: string) => Promise<T>,
  ): Promise<T>;
  /** Ends the program, and turns away what waits. Safe to repeat. */
  close(): Promise<void>;
}

export interface OfficeOptions extends Pick<WorkerOptions, 'folder' | 'memoryBytes' | 'log'> {
  /** Documents that may wait for the program; further ones are turned away. */
  readonly maxQueue: number;
  readonly failures: Pick<Failures, 'unavailable'>;
}

interface Waiting {
  readonly tenant: string;
  readonly start: () => void;
  readonly refuse: (error: unknown) => void;
}

/** What a new profile says: no macros, nothing that is linked from elsewhere. Source: LibreOffice, officecfg/registry/schema. */
const settings: readonly (readonly [path: string, name: string, value: string])[] = [
  ['/org.openoffice.Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['/org.openoffice.Office.Common/Security/Scripting', 'DisableActiveContent', 'true'],
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', '0'],
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', '1'],
];
const profile = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">${settings
  .map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join('')}</oor:items>`;

/** Nothing answers there: what the program would fetch it does not get. */
const NO_PROXY_ADDRESS = 'http://127.0.0.1:9';
/** Where a program is looked for that is named without a folder, and what it calls itself. */
const PROGRAM_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
const WATCHDOG_INTERVAL_MS = 250;

const notSaved = () =>
  new ParseError(
    'CORRUPTED',
    'The document is damaged: LibreOffice, which reads older Office files, made nothing of it.',
  );

/** The program and all that it started. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

export function createOfficeConverter(
  program: string,
  { folder, memoryBytes, log, maxQueue, failures }: OfficeOptions,
): OfficeConverter {
  const queue = createFairQueue<Waiting>();
  /** Whether the program has a document, or one has its turn. */
  let busy = false;
  /** Settles when the conversion under way has. */
  let current: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();
  const stopping = () => failures.unavailable('The service is stopping.', 1);

  /** Runs the program on a folder of its own. Resolves with the path of what it has saved. */
  async function save(home: string, { path, as, refusal }: OfficeFile, timeoutMs: number, signal: AbortSignal) {
    const source = join(home, `document.${as.slice(0, 3)}`);
    await mkdir(join(home, 'profile/user'), { recursive: true });
    await writeFile(join(home, 'profile/user/registrymodifications.xcu'), profile);
    await copyFile(path, source);
    const options = ['--headless', '--norestore', '--nolockcheck', '--nodefault', '--nologo'];
    const user = `-env:UserInstallation=${pathToFileURL(join(home, 'profile')).href}`;
    const child = spawn(program, [user, ...options, '--convert-to', as, '--outdir', join(home, 'out'), source], {
      cwd: home,
      // Nothing of the service's secrets is in its environment.
      env: {
        PATH: PROGRAM_PATH,
        HOME: home,
        LANG: 'C.UTF-8',
        http_proxy: NO_PROXY_ADDRESS,
        https_proxy: NO_PROXY_ADDRESS,
      },
      stdio: 'ignore',
      detached: true,
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => reject(signal.reason);
    const timeout = setTimeout(
      () => reject(new ParseError('TIMEOUT', `The document was not saved as ${as.toUpperCase()} within its time.`)),
      timeoutMs,
    );
    const watchdog = setInterval(() => {
      if (groupBytes(child.pid) > memoryBytes)
        reject(
          new ParseError('TOO_LARGE', 'The document needs more memory than one may have. Split it and try again.'),
        );
    }, WATCHDOG_INTERVAL_MS);
    child.once('error', (error) => {
      log.warn({ err: error, program }, 'office program could not be started');
      reject(refusal);
    });
    child.once('exit', (code) => (code === 0 ? resolve() : reject(notSaved())));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await promise;
    } finally {
      clearTimeout(timeout);
      clearInterval(watchdog);
      signal.removeEventListener('abort', onAbort);
      killGroup(child);
    }
    const saved = join(home, 'out', `document.${as}`);
    // It ends well too where it has saved nothing.
    if (
      !(await stat(saved)
        .then((found) => found.isFile())
        .catch(() => false))
    )
      throw notSaved();
    return saved;
  }

  async function convert<T>(
    file: OfficeFile,
    { timeoutMs, signal }: Pick<WorkerRun, 'timeoutMs' | 'signal'>,
    use: (path: string) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const home = await mkdtemp(join(folder, 'office-'));
    try {
      return await use(await save(home, file, timeoutMs, AbortSignal.any([signal, closing.signal])));
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }

  /** Takes the program, or waits for the turn. */
  async function acquire(tenant: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (closing.signal.aborted) throw stopping();
    if (!busy) {
      busy = true;
      return;
    }
    if (queue.length >= maxQueue)
      throw failures.unavailable('Too many older documents wait to be read; try again in a moment', 10);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { tenant, start: resolve, refuse: reject };
    const leave = () => {
      if (queue.remove(one)) reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    queue.enqueue(one, false);
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  function release(): void {
    const next = queue.dequeue();
    if (next === undefined) busy = false;
    else next.start();
  }

  return {
    async convert(tenant, file, run, use) {
      await acquire(tenant, run.signal);
      try {
        if (closing.signal.aborted) throw stopping();
        const made = convert(file, run, use);
        current = made.catch(() => undefined);
        return await made;
      } finally {
        release();
      }
    },
    async close() {
      closing.abort(new ParseError('PROCESS_ENDED', 'The service is stopping.'));
      for (const { refuse } of queue.drain()) refuse(stopping());
      await current;
    },
  };
}
