import { sql } from 'kysely';
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import { eventually } from '../support/eventually.ts';
import { isLong, times } from '../support/long.ts';
import { copySeed } from '../support/seed.ts';
import { silent, temporaryFolder } from '../support/postgres.ts';

interface Host {
  readonly process: ChildProcess;
  readonly stored: number[];
  /** Process id of PostgreSQL once it is ready; rejects with the refusal. */
  readonly ready: Promise<number>;
  readonly ended: Promise<number | null>;
}

describe('a process with the embedded database', () => {
  let dataDir: string;
  const hosts: Host[] = [];

  beforeEach(() => {
    dataDir = temporaryFolder();
  });
  /** For what does not look at how a database is made: it takes a second of processor time. */
  const copyDatabase = () => copySeed(dataDir);
  afterEach(async () => {
    for (const host of hosts.splice(0)) host.process.kill('SIGKILL');
    await eventually(() => expect(processesOf(dataDir)).toEqual([]));
    rmSync(dataDir, { recursive: true });
  });

  function startHost(): Host {
    const script = join(import.meta.dirname, '..', 'support', 'database-host.ts');
    const child = spawn(process.execPath, [script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
    const stored: number[] = [];
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const ready = new Promise<number>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const said = JSON.parse(line) as { ready?: number; stored?: number; refused?: string };
        if (said.stored !== undefined) stored.push(said.stored);
        if (said.ready !== undefined) resolve(said.ready);
        if (said.refused !== undefined) reject(new Error(said.refused));
      });
      void ended.then(() => reject(new Error('ended before it was ready')));
    });
    ready.catch(() => undefined);
    const host = { process: child, stored, ready, ended };
    hosts.push(host);
    return host;
  }

  async function storedRows(): Promise<Set<number>> {
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
    const db = await openDatabase({ connection: postgres.connection, log: silent });
    const { rows } = await sql<{ n: number }>`SELECT n FROM stored`.execute(db.query);
    await db.close();
    await postgres.close();
    return new Set(rows.map(({ n }) => n));
  }

  it('starts again after each kill -9, leaves no process behind, and loses nothing that was acknowledged', async () => {
    await copyDatabase();
    const acknowledged: number[] = [];
    for (let round = 0; round < times(4, 10); round++) {
      const host = startHost();
      await host.ready;
      // At any moment from when it works on, however slow the machine is.
      await eventually(() => expect(host.stored.length).toBeGreaterThan(10));
      await sleep(Math.random() * 300);
      host.process.kill('SIGKILL');
      await host.ended;
      acknowledged.push(...host.stored);
      // Every other time the next start comes at once, while the old database may still be ending.
      if (round % 2 === 0) await eventually(() => expect(processesOf(dataDir)).toEqual([]));
    }
    const stored = await storedRows();
    expect(acknowledged.length).toBeGreaterThan(40);
    expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
  });

  it('starts again after a kill -9 at any moment of its first start', async () => {
    const always = [200, 350, 500, 700];
    for (const delayMs of isLong ? [...always, 150, 250, 300, 400, 450, 600, 800] : always) {
      const host = startHost();
      await Promise.race([sleep(delayMs), host.ready]);
      host.process.kill('SIGKILL');
      await host.ended;
    }
    await startHost().ready;
  });

  it('is the only one to win of several that start at one moment', async () => {
    const started = await Promise.allSettled([1, 2, 3, 4].map(() => startHost().ready));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of started)
      if (result.status === 'rejected') expect(String(result.reason)).toContain('is in use by');
  });

  it('gets its database back when that is killed, with its connections', async () => {
    await copyDatabase();
    const host = startHost();
    let postmaster = await host.ready;
    for (let kills = 0; kills < 2; kills++) {
      process.kill(postmaster, 'SIGKILL');
      // What the host had said before the kill may still be on its way: rows count from the next postmaster on.
      postmaster = await eventually(() => {
        const next = newestPostmaster(dataDir);
        expect(next).not.toBe(postmaster);
        expect(() => process.kill(next, 0)).not.toThrow();
        return next;
      });
      const before = host.stored.length;
      await eventually(() => expect(host.stored.length).toBeGreaterThan(before + 50));
    }
    host.process.stdin?.end();
    expect(await host.ended).toBe(0);
    const stored = await storedRows();
    expect(host.stored.filter((n) => !stored.has(n))).toEqual([]);
  });

  it('stops an orphan that lost its guardian, too', async () => {
    await copyDatabase();
    const host = startHost();
    const pid = await host.ready;
    for (const guardian of childrenOf(host.process.pid).filter((child) => child !== pid))
      process.kill(guardian, 'SIGKILL');
    host.process.kill('SIGKILL');
    await host.ended;
    await sleep(300);
    expect(processesOf(dataDir)).toContain(pid);
    const next = startHost();
    expect(await next.ready).not.toBe(pid);
    expect(processesOf(dataDir)).not.toContain(pid);
    const stored = await eventually(() => (expect(next.stored.length).toBeGreaterThan(0), next.stored));
    expect(stored[0]).toBeGreaterThan(host.stored.at(-1) ?? 0);
  });

  it('is refused the data folder of another, which goes on and ends in order, and leaves a stranger alone that has the process number of its postmaster', async () => {
    await copyDatabase();
    const first = startHost();
    await first.ready;
    await expect(startHost().ready).rejects.toThrow(`is in use by the process ${first.process.pid}`);
    const before = first.stored.length;
    await eventually(() => expect(first.stored.length).toBeGreaterThan(before));
    first.process.stdin?.end();
    expect(await first.ended).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    writeFileSync(
      join(dataDir, 'postgres', 'cluster', 'postmaster.pid'),
      `${stranger.pid}\n${dataDir}\n0\n5432\n\n\n\nready\n`,
      { mode: 0o600 },
    );
    await startHost().ready;
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
  });
});

/** Process ids of the database programs that work in the folder. */
function processesOf(folder: string): number[] {
  const root = join(folder, 'postgres');
  return pids().filter((pid) => procFile(pid, 'cmdline').includes(root) || workingFolder(pid).startsWith(root));
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function newestPostmaster(folder: string): number {
  return Number(readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

const childrenOf = (parent: number | undefined) =>
  pids().filter((pid) => Number(procFile(pid, 'stat').split(') ').at(-1)?.split(' ')[1]) === parent);
const pids = () =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
