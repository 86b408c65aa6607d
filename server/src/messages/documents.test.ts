import type { MessageParam } from '@ai-studio/contract/messages/request.ts';
import { expect, test } from 'vitest';
import { covers } from '../../test/requirements.ts';
import { type DocumentReader, withDocumentTexts } from './documents.ts';

const bytes = Buffer.from('hi');
const reader: DocumentReader = {
  readText: (given, name) => Promise.resolve(`${name} says ${given.toString()}`),
  findFile: () => Promise.resolve({ bytes, name: 'kept.hwp' }),
};
const messages: readonly MessageParam[] = [
  {
    role: 'user',
    content: [
      {
        type: 'document',
        title: 'a.pdf',
        context: 'of 2026',
        source: { type: 'base64', media_type: 'application/pdf', data: bytes.toString('base64') },
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
      { type: 'document', source: { type: 'file', file_id: 'file-1' } },
    ],
  },
];

test('documents are texts for models', async () => {
  expect(await withDocumentTexts(messages, reader)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a.pdf:\n\nof 2026\n\na.pdf says hi' },
        { type: 'text', text: 'document:\n\nplain' },
        { type: 'text', text: 'kept.hwp:\n\nkept.hwp says hi' },
      ],
    },
  ]);
});

test('and files for an agent that takes some, save for those that are text in the request', async () => {
  covers('parts.agents.files');
  expect(await withDocumentTexts(messages, { ...reader, keepsFiles: true })).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'of 2026' },
        { type: 'file', filename: 'a.pdf', url: 'data:application/pdf;base64,aGk=' },
        { type: 'text', text: 'document:\n\nplain' },
        { type: 'file', filename: 'kept.hwp', url: 'data:application/x-hwp;base64,aGk=' },
      ],
    },
  ]);
});
