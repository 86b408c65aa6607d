export { backUp, type BackupReport, type IndexCopier } from './backup.ts';
export { type IndexOutcome, restore } from './restore.ts';
