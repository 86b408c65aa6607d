import { randomBytes } from 'node:crypto';
import { findSecretKey } from '../adapters/embedded/secret-key.ts';
import type { Config } from '../config/index.ts';
import type { Logger } from '../kernel/log.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import { type ConnectedServer, readServers, reservedEngineNames } from '../model-servers/index.ts';
import type { Database } from '../ports/database.ts';

const KEY_BYTES = 32;

/** The connected servers as the database has them, for a command. Makes no key: where there is none, none of theirs can be opened. */
export const storedServers = (config: Config, db: Database, log: Logger): Promise<readonly ConnectedServer[]> =>
  readServers({
    db,
    box: createSecretBox(config.secret_key ?? findSecretKey(config.data_dir) ?? randomBytes(KEY_BYTES)),
    taken: reservedEngineNames(Object.keys(config.engines)),
    log,
  });
