import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeOpenSearch, type FakeOpenSearch } from '../../../test/fakes/opensearch-server.ts';
import { createFolderFiles, createLanceIndex } from '../../adapters/embedded/lance-index/index.ts';
import { createOpenSearchIndex } from '../../adapters/distributed/opensearch-index/index.ts';
import { optionsFor } from '../../../test/conformance/opensearch.ts';
import { refuseUnknownSearch } from '../../compose/search-server.ts';
import { openSearchIndex } from '../../compose/storage.ts';
import { Config } from '../../config/schema.ts';
import { silent, temporaryFolder } from '../../../test/support/postgres.ts';
import { checkSearch } from './search.ts';

let fake: FakeOpenSearch;
beforeAll(async () => void (fake = await startFakeOpenSearch()));
const folder = temporaryFolder();
afterAll(async () => {
  await fake.close();
  rmSync(folder, { recursive: true, force: true });
});

const look = async (more: object = {}) =>
  (await checkSearch(Config.parse({ search: { url: fake.url, ...more } }))).map(
    ({ level, text, advice }) => `${level} ${text} ${advice ?? ''}`,
  );

test('nothing is said of an index beside the files that is not there, and its figures of one that is', async () => {
  expect(await checkSearch(Config.parse({ data_dir: folder }))).toEqual([]);
  const uri = join(folder, 'index');
  const index = createLanceIndex({ storage: { uri }, files: createFolderFiles(uri), cacheMb: 16, log: silent });
  await index.createTable('t', { dimension: 2 });
  await index.close();
  expect(await checkSearch(Config.parse({ data_dir: folder }))).toEqual([
    expect.objectContaining({ level: 'ok', text: expect.stringMatching(/^1 table, 0 rows, .*its files take/) }),
  ]);
});

test('a cluster that can be used, and one that misses parts of the index', async () => {
  expect(await look()).toEqual([expect.stringMatching(/^ok .* keeps the search index/)]);
  const index = createOpenSearchIndex(optionsFor(fake.url, 'studio'));
  await index.createTable('t', { dimension: 2 });
  fake.breakShards('studio-i-t-1', 'away');
  expect((await look())[0]).toMatch(/^fail .*does not serve all/);
  fake.repairShards('studio-i-t-1');
  expect(await look({ shards: 3 })).toContainEqual(expect.stringMatching(/^warn .*another number of shards.*reshard/));
  fake.fill(1, 91);
  const found = await look();
  expect(found).toContainEqual(expect.stringMatching(/^warn .*1 of at most 1 shards/));
  expect(found).toContainEqual(expect.stringMatching(/^warn .*Node 1 is full to 91 %/));
  await index.close();
});

test('one that cannot be used: another version, another account, none, and no certificate', async () => {
  fake.version.number = '2.19.1';
  expect(await look()).toEqual([expect.stringMatching(/^fail .*2\.19\.1 is not supported/)]);
  fake.version.number = '3.5.0';
  fake.failNext(1, 401);
  expect(await look()).toEqual([expect.stringMatching(/^fail .*refuses our account/)]);
  expect(await look({ url: 'http://127.0.0.1:9' })).toEqual([expect.stringMatching(/^fail .*cannot be reached/)]);
  expect(await look({ ca_file: '/absent.pem' })).toEqual([expect.stringMatching(/^fail .*absent\.pem/)]);
});

test('over TLS its authority is trusted that ca_file names, and no other, and it is shown the client certificate', async () => {
  const tls = (name: string) => fileURLToPath(new URL(`../../../test/fixtures/tls/${name}.pem`, import.meta.url));
  const [ca, cert, key] = ['ca', 'server-cert', 'server-key'].map((name) => readFileSync(tls(name)));
  const server = await startFakeOpenSearch({ ca, cert, key, requestCert: true, rejectUnauthorized: true });
  const config = (files: object) => Config.parse({ search: { url: server.url, ...files } });
  const client = { cert_file: tls('client-cert'), key_file: tls('client-key') };
  const files = { ca_file: tls('ca'), ...client };
  const index = openSearchIndex(config(files), silent);
  const stranger = openSearchIndex(config({ ...files, ca_file: tls('cert') }), silent);
  try {
    await index.createTable('t', { dimension: 2 });
    expect(await index.stats('t')).toMatchObject({ rows: 0 });
    expect(await checkSearch(config(files))).toMatchObject([{ level: 'ok' }]);
    server.requests.length = 0;
    await expect(stranger.stats('t')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('certificate of OpenSearch is not trusted: self-signed'),
    });
    for (const wrong of [client, { ...files, ca_file: tls('cert') }])
      expect(await checkSearch(config(wrong))).toMatchObject([
        {
          level: 'fail',
          text: expect.stringContaining('is not trusted'),
          advice: expect.stringContaining('certificates'),
        },
      ]);
    // Who shows no certificate, or one of another authority, is not told why: the connection ends.
    const strange = { cert_file: tls('cert'), key_file: tls('key') };
    const found = await Promise.all([{}, strange].map((own) => checkSearch(config({ ca_file: tls('ca'), ...own }))));
    for (const one of found)
      expect(one).toMatchObject([{ level: 'fail', text: expect.stringContaining('cannot be reached') }]);
    expect(server.requests).toEqual([]);
  } finally {
    await Promise.all([index.close(), stranger.close()]);
    await server.close();
  }
});

test('the service does not start with a version that it does not know, and starts with a server that is away', async () => {
  const start = (url: string) => refuseUnknownSearch(Config.parse({ search: { url } }), silent);
  await start(fake.url);
  fake.version.number = '4.0.0';
  await expect(start(fake.url)).rejects.toThrow(/search.url.*4\.0\.0 is not supported/s);
  fake.version.number = '3.5.0';
  await start('http://127.0.0.1:9');
});
