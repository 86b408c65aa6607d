import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Collection } from './collection.ts';

// Folders of classic sets as they are published: Cranfield and CISI, in the form of the SMART system.

/** What the codes of Cranfield's judgements are worth: 1 is a complete answer, 4 of minimum interest; others are none. Source: cranqrel.readme. */
const GRADES: Readonly<Record<string, number>> = { '1': 4, '2': 3, '3': 2, '4': 1 };

interface Entry {
  readonly id: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Entries that begin with `.I`, with their fields: `.T` title, `.W` words. */
function entriesOf(text: string): Entry[] {
  return text
    .split(/^\.I\s+/m)
    .slice(1)
    .map((entry) => {
      const [id = '', ...parts] = entry.split(/^\.([A-Z])\s*$/m);
      const fields = new Map<string, string>();
      for (let at = 0; at + 1 < parts.length; at += 2) fields.set(parts[at] ?? '', (parts[at + 1] ?? '').trim());
      return { id: id.trim(), fields };
    });
}

function readSmart(folder: string, names: { docs: string; queries: string; judgements: string }): Collection {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').replaceAll('\r', '');
  const relevance = new Map<string, Map<string, number>>();
  for (const line of read(names.judgements).split('\n')) {
    const [query = '', doc = '', grade = ''] = line.trim().split(/\s+/);
    if (doc === '') continue;
    const worth = names.docs.startsWith('cran') ? (GRADES[grade] ?? 0) : 1;
    if (worth === 0) continue;
    const known = relevance.get(query) ?? new Map<string, number>();
    relevance.set(query, known.set(doc, worth));
  }
  return {
    docs: entriesOf(read(names.docs)).map(({ id, fields }) => ({
      id,
      title: fields.get('T') ?? '',
      text: fields.get('W') ?? '',
    })),
    // Judgements name questions by their place.
    queries: entriesOf(read(names.queries)).map(({ fields }, at) => ({
      id: String(at + 1),
      text: fields.get('W') ?? '',
    })),
    relevance,
  };
}

/** Reads a folder with the files of Cranfield (cran.all.1400, cran.qry, cranqrel) or CISI (CISI.ALL, CISI.QRY, CISI.REL). */
export function readClassicSet(folder: string): Collection {
  const names = readdirSync(folder);
  const find = (pattern: RegExp): string => {
    const name = names.find((one) => pattern.test(one));
    if (name === undefined) throw new Error(`${folder} holds no ${pattern.source}`);
    return name;
  };
  const [docs, queries, judgements] = [find(/\.all(?:\.\d+)?$/i), find(/\.qry$/i), find(/^cranqrel$|\.rel$/i)];
  return readSmart(folder, { docs, queries, judgements });
}
