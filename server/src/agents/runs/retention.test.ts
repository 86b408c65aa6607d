import { sql } from 'kysely';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AgentHouse,
  aTenant,
  definitionOf,
  insertAgent,
  openAgentHouse,
} from '../../../test/support/agent-runs.ts';
import { type FreshDatabase, freshDatabase, silent } from '../../../test/support/postgres.ts';
import { createFolderBlobStore } from '../../adapters/embedded/folder-blob-store.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { type AgentFileStore, createFileStore, openAgentFile } from '../files.ts';
import { removeExpired } from './retention.ts';

const input = { id: 'input', kind: 'input', files: true };
const fixed = definitionOf([input, { id: 'answer', kind: 'answer', text: 'Yes' }], ['input>answer']);

let fresh: FreshDatabase;
let house: AgentHouse;
let blobs: BlobStore;
let files: AgentFileStore;
let folder: string;
beforeAll(async () => {
  fresh = await freshDatabase();
  house = await openAgentHouse(fresh.db, await insertAgent(fresh.db));
  folder = mkdtempSync(join(tmpdir(), 'studio-files-'));
  blobs = createFolderBlobStore(join(folder, 'blobs'));
  files = createFileStore({ db: fresh.db, blobs, maxBytes: 100 });
});
afterAll(async () => {
  await house?.close();
  await blobs?.close();
  await fresh?.close();
  rmSync(folder, { recursive: true, force: true });
});

const give = (name: string, text: string) =>
  files.storeBytes(house.actor, { agentId: house.agentId, name, bytes: Buffer.from(text) });
const isThere = (id: string) =>
  openAgentFile({ blobs }, aTenant, id, join(folder, `copy-${id}`)).then(
    () => true,
    () => false,
  );
const agedFiles = () =>
  fresh.db.query
    .updateTable('agent_files')
    .set({ created_at: new Date(0) })
    .execute();

describe('files of messages', () => {
  test('are kept under a plain name, with their type, up to a size', async () => {
    expect(await give('../../etc/보고서.PDF', 'x')).toMatchObject({
      name: '보고서.PDF',
      media_type: 'application/pdf',
      size: 1,
    });
    const path = join(folder, 'given');
    writeFileSync(path, 'yy');
    const given = { agentId: house.agentId, name: '\n', path, size: 2 };
    expect(await files.store(house.actor, given)).toMatchObject({ name: 'file', size: 2 });
    await expect(give('big', 'x'.repeat(101))).rejects.toMatchObject({ code: 'too_large' });
  });

  test('are removed a day after nobody used them, and not those of a run', async () => {
    const unused = await give('a.txt', 'a');
    const used = await give('b.txt', 'b');
    const more = { input: { text: 'x', files: [used], data: null } };
    const { run } = await house.runs.start(house.actor, house.order(fixed, 'x', more));
    await house.events(run.id);
    await removeExpired({ db: fresh.db, blobs, log: silent });
    expect([await isThere(unused.id), await isThere(used.id)]).toEqual([true, true]);
    await agedFiles();
    await removeExpired({ db: fresh.db, blobs, log: silent });
    expect([await isThere(unused.id), await isThere(used.id)]).toEqual([false, true]);
    await files.removeOf(run.sessionId);
    expect(await isThere(used.id)).toBe(false);
  });

  test('of other tenants, and what is no id, open nothing', async () => {
    const { id } = await give('c.txt', 'c');
    for (const [tenant, file] of [
      ['other', id],
      [aTenant, '../x'],
    ] as const)
      await expect(openAgentFile({ blobs }, tenant as typeof aTenant, file, join(folder, 'x'))).rejects.toMatchObject({
        code: 'not_found',
      });
  });
});

test('sessions are deleted when their tenant keeps none so old, with their runs and files', async () => {
  const file = await give('d.txt', 'd');
  const more = { input: { text: 'x', files: [file], data: null }, message: { id: 'm', hash: 'h' } };
  const { run } = await house.runs.start(house.actor, house.order(fixed, 'x', more));
  await house.events(run.id);
  await fresh.db.query
    .updateTable('agent_sessions')
    .set({ updated_at: sql<Date>`now() - interval '10 days'` })
    .execute();
  expect(await removeExpired({ db: fresh.db, blobs, log: silent })).toBe(0);
  await fresh.db.query
    .insertInto('tenant_settings')
    .values({ tenant_id: aTenant, settings: '{"conversation_days":9}' })
    .execute();
  await agedFiles();
  expect(await removeExpired({ db: fresh.db, blobs, log: silent })).toBeGreaterThan(0);
  for (const table of ['agent_runs', 'agent_events', 'agent_steps', 'agent_messages', 'agent_files'] as const)
    expect(await fresh.db.query.selectFrom(table).selectAll().execute(), table).toEqual([]);
  expect(await isThere(file.id)).toBe(false);
});
