import type { Requirements } from './entry.ts';

const source = 'decisions 3, files and batches';

/** Files of tenants, and batches of requests in them. */
export const batchRequirements = {
  'files.lifecycle': {
    source,
    text: 'A file is uploaded with a purpose, listed page by page, given back and deleted.',
  },
  'files.expiry': { source, text: 'A file goes after the time that expires_after asks for.' },
  'files.quota': { source, text: 'All files of a tenant together have a limit, past which an upload is a 413.' },
  'files.refused': {
    source,
    text: 'A purpose, a file or a batch that cannot be is refused with the field that is wrong.',
  },
  'files.shared': {
    source,
    text: 'Files and batches are those of the tenant: every key of it reads, deletes and cancels them, and the audit log tells which did.',
  },
  'batches.quota': {
    source,
    text: 'A tenant has no more open batches than it may, however many are begun at one moment.',
  },
  'batches.run': {
    source,
    text: 'Each line is answered by the verb of its endpoint: answers in one file, failures in another, in order.',
  },
  'batches.endpoints': { source, text: 'Lines of chats, responses, embeddings and completions.' },
  'batches.validation': { source, text: 'What is wrong with a line is told with its number, and nothing runs.' },
  'batches.once': { source, text: 'Every line is there once and metered once, across kills of the process.' },
  'batches.retry': {
    source,
    text: 'A line whose model has too much to do is tried again; what a try used that failed is metered, too.',
  },
  'batches.cancel': { source, text: 'A batch that is cancelled ends with what was answered.' },
  'batches.expiry': { source, text: 'A batch whose time is over ends with what is done, and names the other lines.' },
  'batches.truthful': {
    source,
    text: 'A batch whose key or input file is gone has failed, says why, and keeps what was answered.',
  },
} as const satisfies Requirements;
