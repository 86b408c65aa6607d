import { z } from 'zod';
import { described } from '../described.ts';

export const DocumentReader = described('Somebody who may read a document', {
  kind: z.enum(['person', 'domain', 'group']).describe('A person, everybody with an address of a domain, or a group'),
  name: z.string().describe('E-mail address, domain, or what the source calls the group'),
  person: z.string().nullable().describe('Name of the person here; null where there is none with this address'),
  members: z
    .int()
    .nullable()
    .describe(
      'Number of people, domains and groups in the group; null where nobody tells who they are, and for others',
    ),
});
export type DocumentReader = z.infer<typeof DocumentReader>;

export const DocumentReaders = described('Who may read a document, besides those who may change its collection', {
  everybody: z.boolean().describe('Whether that is everybody who sees the collection'),
  items: z.array(DocumentReader).describe('The readers, 500 at most'),
  total: z.int().describe('Number of all readers'),
});
export type DocumentReaders = z.infer<typeof DocumentReaders>;
