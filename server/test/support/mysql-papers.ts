import { createHash } from 'node:crypto';
import type { FakeResult } from '../fakes/mysql-server.ts';

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What a table of names and contents gives to the statements of the connector of MySQL. */
export const answerPapers =
  (papers: ReadonlyMap<string, string>) =>
  (text: string, [value]: readonly string[]): FakeResult => {
    if (text.startsWith('SELECT * FROM')) return { columns: ['id', 'content'], rows: [] };
    if (text.includes('GROUP BY')) return { columns: ['id', 'times', 'missing'], rows: [] };
    if (text.includes('LIMIT 1')) {
      const content = papers.get(value ?? '');
      return { columns: ['content'], rows: content === undefined ? [] : [[content]] };
    }
    const most = Number(/LIMIT (\d+)$/.exec(text)?.[1]);
    const names = [...papers.keys()].sort(byBytes).filter((name) => value === undefined || byBytes(name, value) > 0);
    const rows = names.slice(0, most).map((name) => {
      const content = papers.get(name) ?? '';
      return [name, '', '', '', content.slice(0, 500_001), createHash('md5').update(content).digest('hex')];
    });
    return { columns: ['id', 'title', 'version', 'url', 'content', 'hash'], rows };
  };
