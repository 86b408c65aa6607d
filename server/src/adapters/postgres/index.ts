export { createPostgresBus } from './bus.ts';
export type { PostgresConnection } from './connection.ts';
export { openDatabase } from './database.ts';
