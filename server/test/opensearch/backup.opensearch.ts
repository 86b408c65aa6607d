import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { studio } from '../support/command.ts';
import { askFine, makeCollection, uploadReady, within, wordHits } from '../support/retrieval.ts';
import { freePort, startService, temporaryFolder, type Service } from '../support/service.ts';

// Backups with a snapshot of the search index, in a repository of the server's disk.

const { STUDIO_OPENSEARCH: url = '', STUDIO_OPENSEARCH_DATA: data = '' } = process.env;
const prefix = `backup-${randomBytes(4).toString('hex')}`;
const snapshots = join(dirname(data), 'snapshots');
const search = { url, prefix, snapshot_repository: 'tests' };
const flags = [`--search.url=${url}`, `--search.prefix=${prefix}`, '--search.snapshot_repository=tests'];

async function call(method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return (await answer.json()) as Record<string, unknown>;
}
/** Everything of this installation, as a cluster that is lost. */
async function loseIndex(): Promise<void> {
  for (const index of Object.keys(await call('GET', `/${prefix}-i-*/_alias`))) await call('DELETE', `/${index}`);
}

test('a backup has a snapshot of the index: it comes back and fits the rows; without it, or damaged, it is made anew', async () => {
  await call('PUT', '/_snapshot/tests', { type: 'fs', settings: { location: snapshots } });
  const service = await startService({ config: { limits: { requests_per_minute: null }, search } });
  const place = await temporaryFolder();
  const restored: Service[] = [];
  const restore = async (copy: string) => {
    const empty = { ...service, dataFolder: await temporaryFolder(), port: await freePort() };
    const said = await studio(empty, 'restore', copy, ...flags);
    const one = await startService({
      dataFolder: empty.dataFolder,
      port: empty.port,
      initKey: null,
      config: { limits: { requests_per_minute: null }, search },
    });
    restored.push(one);
    return { said, there: { ...one, key: service.key } };
  };
  try {
    const { collection_id: id } = await makeCollection(service);
    const { collection_id: other } = await makeCollection(service);
    const gone = await uploadReady(service, id, 'a.md', '사과 농장 안내');
    await uploadReady(service, id, 'b.md', '고래 바다 안내');
    await uploadReady(service, other, 'c.md', '산양 목장 안내');
    const copy = join(place, 'copy');
    const report = JSON.parse(await studio(service, 'backup', copy, '--json', ...flags)) as { index: string };
    expect(report).toMatchObject({
      index: expect.stringMatching(new RegExp(`^tests/${prefix}-backup-`)),
      indexTrouble: null,
    });
    // An index that somebody uses is not written over.
    const empty = { ...service, dataFolder: await temporaryFolder(), port: await freePort() };
    await expect(studio(empty, 'restore', copy, ...flags)).rejects.toThrow(`prefix ${prefix} already`);
    // What the rows of the copy say holds, not what the index came to.
    await askFine(service, `documents/${gone.document_id}`, { method: 'DELETE' });
    await service.stop();
    await loseIndex();

    const { said, there } = await restore(copy);
    expect(said).toContain('brought back from its snapshot');
    for (const [collection, word] of [
      [id, '사과'],
      [id, '고래'],
      [other, '산양'],
    ] as const)
      expect(await wordHits(there, collection, word), word).toHaveLength(1);
    expect(there.output()).not.toMatch(/was lost|rebuilt/);
    await uploadReady(there, other, 'd.md', '두루미 호수');
    expect(await wordHits(there, other, '두루미')).toHaveLength(1);
    await restored.at(-1)?.stop();
    await loseIndex();

    // Half of each file of its rows is missing.
    const name = report.index.slice('tests/'.length);
    for (const file of await readdir(snapshots, { recursive: true })) {
      const path = join(snapshots, file);
      const { size, isFile } = await stat(path).then((one) => ({ size: one.size, isFile: one.isFile() }));
      if (isFile && /(?:^|\/)__/.test(file)) await truncate(path, Math.floor(size / 2));
    }
    const damaged = await restore(copy);
    expect(damaged.said).toContain('made anew when the service starts');
    await within(async () => expect(await wordHits(damaged.there, id, '고래')).toHaveLength(1), 60_000);
    await restored.at(-1)?.stop();
    await loseIndex();

    await call('DELETE', `/_snapshot/tests/${name}`);
    const without = await restore(copy);
    expect(without.said).toContain('made anew when the service starts');
    await within(async () => expect(await wordHits(without.there, other, '산양')).toHaveLength(1), 60_000);

    // A repository that is not there makes no backup fail, which says so.
    const still = JSON.parse(
      await studio(
        without.there,
        'backup',
        join(place, 'other'),
        '--json',
        ...flags.slice(0, 2),
        '--search.snapshot_repository=absent',
      ),
    ) as object;
    expect(still).toMatchObject({ index: null, indexTrouble: expect.stringContaining('absent') });
    expect(await readFile(join(place, 'other', 'search-index.json'), 'utf8').catch(() => null)).toBeNull();
  } finally {
    for (const one of [service, ...restored]) await one.close();
    await loseIndex();
    await rm(place, { recursive: true, force: true });
  }
});
