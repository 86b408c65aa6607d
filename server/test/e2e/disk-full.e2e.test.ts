import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import {
  ask,
  askFine,
  formOf,
  type List,
  makeCollection,
  readDocument,
  searchIn,
  sendForm,
  upload,
  uploadReady,
  within,
  wordHits,
} from '../support/retrieval.ts';
import { startService, temporaryFolder } from '../support/service.ts';
import { hasSmallDisks, smallDisk } from '../support/small-disk.ts';

const folder = await temporaryFolder();
const MEGABYTES = 320;
const config = { limits: { requests_per_minute: null, tokens_per_minute: null } };

/** Two sections that only its own number finds, and enough else that it takes a while. */
const textOf = (number: number) =>
  `# 문서 ${number}\n\n표지 표식${number}머리 는 하나뿐이다.\n\n${'여러 낱말이 이어진다. '.repeat(2_500)}\n\n# 끝\n\n본문 표식${number}꼬리 도 하나뿐이다.\n`;

test.skipIf(!hasSmallDisks(folder))(
  'a full disk is told of, loses nothing that was acknowledged, and is got over without anybody’s help',
  async () => {
    covers('retrieval.faults.disk_full');
    const disk = smallDisk(folder, MEGABYTES);
    // Only what runs within it sees the disk: the database is made there.
    const from = { dataFolder: join(folder, 'data'), within: disk.within, makesDatabase: true };
    const service = await startService({ ...from, config });
    const { pid } = service;
    try {
      const { collection_id: collection } = await makeCollection(service);
      await uploadReady(service, collection, '0.md', textOf(0));
      const accepted: (readonly [string, number])[] = [];
      // So many at once that most wait when the disk is full.
      const give = async (number: number) =>
        accepted.push([(await upload(service, collection, `${number}.md`, textOf(number))).document_id, number]);
      await Promise.all(Array.from({ length: 12 }, (_, at) => give(at + 1)));
      disk.fill(pid);
      expect(disk.room(pid)).toBeLessThan(64 * 1024);

      // Nothing more is taken, and the client is not blamed for it.
      const refused = new Set<number>();
      for (let number = 13; number <= 30; number++) {
        const path = `collections/${collection}/documents/upload`;
        const answer = await sendForm(service, path, formOf(`${number}.md`, textOf(number)));
        if (answer.status === 200) accepted.push([answer.result.document_id, number]);
        else {
          refused.add(number);
          expect([answer.status, answer.code, answer.message]).toEqual([
            503,
            '50300',
            expect.stringContaining('storage of the service is full'),
          ]);
          expect(answer.headers.get('retry-after')).toBe('30');
        }
      }
      expect(refused.size).toBeGreaterThan(5);

      // What waits says what for; what was there is found.
      await within(async () => {
        const { items } = await askFine<List<{ state: string; error: { code: string } | null }>>(
          service,
          `collections/${collection}/documents?size=100`,
        );
        const waiting = items.filter(({ state }) => state !== 'ready');
        expect(waiting.map(({ error }) => error?.code)).toContain('STORAGE_FULL');
        expect(items.filter(({ state }) => state === 'failed')).toEqual([]);
      });
      expect((await searchIn(service, collection, '표식0꼬리')).result.hits[0]?.content).toContain('표식0꼬리');
      expect((await ask(service, `collections/${collection}`)).status).toBe(200);

      disk.clear(pid);
      for (const [id, number] of accepted) {
        await within(async () => {
          const document = await readDocument(service, id);
          expect(document.state, JSON.stringify(document)).toBe('ready');
        });
        for (const part of ['머리', '꼬리']) {
          const hits = await wordHits(service, collection, `표식${number}${part}`);
          const own = hits.filter(({ content }) => content.includes(`표식${number}${part}`));
          expect(new Set(own.map(({ document_id: found }) => found))).toEqual(new Set([id]));
          expect(new Set(own.map(({ content }) => content)).size).toBe(own.length);
        }
      }
      // What was refused left nothing.
      const { total } = await askFine<List<unknown>>(service, `collections/${collection}/documents?size=1`);
      expect(total).toBe(accepted.length + 1);
      await uploadReady(service, collection, 'after.md', textOf(99));
    } finally {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
