export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './server.ts';
export { refuseLostDatabase } from './lost-database.ts';
export { findRunningPostgres } from './running.ts';
