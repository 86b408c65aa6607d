import { setTimeout as wait } from 'node:timers/promises';
import { createFolderFiles, createLanceIndex } from '../../src/adapters/embedded/lance-index/index.ts';
import { silent } from '../support/postgres.ts';

// A process that writes to a table until it is ended: prints each id once the row is written, and tidies now and then.

const [, , folder = '', table = '', name = ''] = process.argv;
const index = createLanceIndex({
  storage: { uri: folder },
  files: createFolderFiles(folder),
  cacheMb: 32,
  log: silent,
});
const tidying = setInterval(() => void index.maintain(table).catch(() => undefined), 300);
process.on('disconnect', () => clearInterval(tidying));
for (let at = 0; process.connected; at++) {
  const rowId = `${name}-${at}`;
  const row = { rowId, chunkId: rowId, documentId: name, vector: Float32Array.of(1, at), terms: ['word', rowId] };
  await index.add(table, [{ ...row, stems: [], fields: { at } }]);
  if (at % 3 === 2) await index.remove(table, { rowIds: [rowId] });
  // Nobody may be there to hear it any more.
  else process.send?.(rowId, undefined, undefined, () => undefined);
  // Others have documents to read between two writes: without a pause the quicker one of two takes nearly all turns.
  await wait(Math.random() * 20);
}
clearInterval(tidying);
await index.close();
