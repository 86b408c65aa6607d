export { createPostgresBus } from './bus.ts';
export type { PostgresConnection } from './connection.ts';
export { openDatabase, type OpenDatabaseOptions } from './database.ts';
export { isConnectionFailure } from './failure.ts';
