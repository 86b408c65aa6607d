import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import { silent, temporaryFolder } from '../support/postgres.ts';
import { databaseConformance } from './database.ts';

databaseConformance('embedded', async () => {
  const dataDir = temporaryFolder();
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent });
  return {
    open: () => openDatabase({ connection: postgres.connection, log: silent }),
    close: async () => {
      await postgres.close();
      rmSync(dataDir, { recursive: true });
    },
  };
});

databaseConformance("the operator's by address", async () => {
  const dataDir = temporaryFolder();
  const port = await freePort();
  const hba = join(dataDir, 'hba.conf');
  writeFileSync(hba, 'host all all 127.0.0.1/32 scram-sha-256\n', { mode: 0o644 });
  const settings = { listen_addresses: '127.0.0.1', port, hba_file: hba };
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, settings });
  const { user, password, database } = postgres.connection;
  return {
    open: () =>
      openDatabase({
        connection: { url: `postgres://${user}:${password}@127.0.0.1:${port}/${database}` },
        log: silent,
      }),
    close: async () => {
      await postgres.close();
      rmSync(dataDir, { recursive: true });
    },
  };
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
