export { startFileRetention } from './retention.ts';
export {
  addWrittenFile,
  blobKey,
  copyFile,
  describeFile,
  fileId,
  type FilesDeps,
  findFile,
  keepFile,
  listFiles,
  openFile,
  removeFile,
  type UploadDeps,
} from './store.ts';
