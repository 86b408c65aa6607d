export { backUp, type BackupReport } from './backup.ts';
export { restore } from './restore.ts';
