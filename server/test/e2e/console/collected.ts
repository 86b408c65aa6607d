import type { ConsoleCollection, ConsoleDocuments } from '@ai-studio/contract/console/retrieval.ts';
import type { DocumentUploaded } from '@ai-studio/contract/retrieval/document.ts';
import type { Person } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { reportPdf } from './documents.ts';
import { callConsole } from './studio.ts';

/** A collection that has been worked with. */
export interface Collected {
  readonly id: string;
  /** Ids of documents: with pages that are drawn, and of text. */
  readonly pages: string;
  readonly text: string;
}

const rules = `# Leave\n\nFifteen days of leave a year, twenty-five at most.\n\n## Sick leave\n\nA doctor writes the note.\n\n| Kind | Days |\n|---|---|\n| Wedding | 5 |\n`;

/** Makes a collection with documents, one of which failed, and an evaluation of its searches. */
export async function collect(person: Person): Promise<Collected> {
  const must = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await callConsole(person, method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };
  const { collection_id: id } = await must<ConsoleCollection>('POST', '/collections', {
    collection_name: 'Rules of the house',
    description: 'Leave, pensions and what else people ask',
    visibility: 'tenant',
    // Whether the folder of models was looked through by now is chance.
    ingest_config: { indexed_fields: ['year'], embedding_model: 'lexical' },
  });
  const give = async (name: string, content: Buffer | string) => {
    const bytes = Buffer.from(content);
    const response = await person.context.request.fetch(
      `/console/api/collections/${id}/documents?name=${encodeURIComponent(name)}&size=${bytes.length}&folder=rules`,
      {
        method: 'POST',
        headers: { Origin: new URL(person.page.url()).origin, 'Content-Type': 'application/octet-stream' },
        data: bytes,
      },
    );
    return ((await response.json()) as DocumentUploaded).document_id;
  };
  const pages = await give('Report.pdf', reportPdf());
  const text = await give('leave.md', rules);
  await give('empty.md', ' \n');
  await eventually(async () => {
    const { counts } = await must<ConsoleDocuments>('GET', `/collections/${id}/documents`);
    if (counts.open > 0) throw new Error(`${counts.open} documents are still at work`);
  });
  await must('POST', `/collections/${id}/evaluation/questions`, {
    items: [
      { question: 'How many days of leave are there?', expected: ['leave.md'] },
      { question: 'Who writes the note?', expected: ['leave.md'] },
    ],
  });
  const search = { alpha: null, fusion: 'weighted', rerank: false };
  await must('POST', `/collections/${id}/evaluation/runs`, {
    settings: [
      { name: 'Hybrid', search: { ...search, mode: 'hybrid' } },
      { name: 'Keyword', search: { ...search, mode: 'keyword' } },
    ],
  });
  return { id, pages, text };
}
