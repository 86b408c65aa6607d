import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { fallbackReasons } from '../models.ts';

/** Files of one message. */
export const MAX_MESSAGE_FILES = 10;
/** Collections of one conversation. */
export const MAX_CONVERSATION_COLLECTIONS = 10;

const FileId = z.string().describe('Id of the file, 32 lower-case hexadecimal digits');

export const MessageFile = described('A file that a message brought', {
  id: FileId,
  name: z.string().describe('Name of the file'),
  size: z.int().describe('Size in bytes'),
  kind: z.enum(['document', 'picture']).describe('document: it is read; picture: models look at it'),
});
export type MessageFile = z.infer<typeof MessageFile>;

/** GET /conversation-files?ids=…, POST /conversation-files */
export const ConversationFile = MessageFile.extend({
  state: z.enum(['reading', 'ready', 'failed']).describe('How far it is read; only what is ready can be sent'),
  progress: z.number().min(0).max(1).describe('Share that is read, 0 to 1'),
  error: z.string().nullable().describe('Why it cannot be read, such as ENCRYPTED or NO_TEXT; null where it can'),
  pages: z.int().nullable().describe('Number of pages; null until that is known'),
}).describe('A file of a person for a message, and how far it has been read');
export type ConversationFile = z.infer<typeof ConversationFile>;

export const ConversationFileUpload = describedStrictly('Query of POST /conversation-files; the body is the file', {
  name: z.string().min(1).max(255).describe('Name of the file, 1 to 255 characters'),
  size: z.coerce.number().int().min(0).describe('Size in bytes'),
});
export const ConversationFilesQuery = describedStrictly('Query of GET /conversation-files', {
  ids: z
    .string()
    .max(33 * MAX_MESSAGE_FILES)
    .describe('Ids with a comma between; those that are not there are left out'),
});
export const ConversationFiles = described('Files of a person by their ids', {
  items: z.array(ConversationFile).describe('In the order of the ids'),
});

export const MessageCitation = described('A source of an answer; its passage and page come when it is opened', {
  number: z.int().describe('Number in the text, as in [1]'),
  document_name: z.string().describe('Name of the document'),
  page: z.int().nullable().describe('Page of the passage, from 1; null where the document has no pages'),
});
export type MessageCitation = z.infer<typeof MessageCitation>;

export const MessageFallback = described('That another model gave an answer than the one that was asked for', {
  asked: z.string().describe('Id of the model that was asked for'),
  reason: z
    .enum(fallbackReasons)
    .describe(
      'Why it did not answer: unavailable (no address of it answered), overloaded (all had too much to do), context_length (the prompt is longer than it reads)',
    ),
});
export type MessageFallback = z.infer<typeof MessageFallback>;

export const ConversationCollection = described('A collection that the answers of a conversation are looked for in', {
  id: z.string().describe('Id of the collection, 32 lower-case hexadecimal digits'),
  name: z.string().describe('Name of the collection'),
});
export type ConversationCollection = z.infer<typeof ConversationCollection>;
