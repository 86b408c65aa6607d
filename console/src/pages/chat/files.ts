import {
  ConversationFile,
  ConversationFiles,
  MAX_MESSAGE_FILES,
  type MessageFile,
} from '@ai-studio/contract/console/conversation-parts.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { sendFile } from '../../api/send-file.ts';
import { type StoredSettings, storedSettings } from './answer-settings.ts';

export { MAX_MESSAGE_FILES };

const POLL_MS = 700;

export const uploadFile = (file: File, signal: AbortSignal, onProgress: (sent: number) => void) =>
  sendFile('/conversation-files', file, ConversationFile, {
    query: { name: file.name, size: file.size },
    signal,
    onProgress,
  });

export const removeFile = (id: string): Promise<void> => api.run('DELETE', `/conversation-files/${id}`);

export const pictureAddress = (id: string): string => `/console/api/conversation-files/${id}/picture`;

/** How far files have been read, asked again while one is being read. */
export const filesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['conversation-files', ...ids],
    queryFn: ({ signal }) =>
      api.get('/conversation-files', ConversationFiles, { signal, query: { ids: ids.join(',') } }),
    enabled: ids.length > 0,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === 'reading') === true ? POLL_MS : false,
  });

const isFile = (value: unknown): value is MessageFile => {
  const { id, name, size, kind } = (value ?? {}) as Partial<Record<keyof MessageFile, unknown>>;
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof size === 'number' &&
    (kind === 'document' || kind === 'picture')
  );
};

/** What a draft of a chat holds beside its text. */
export interface ChatExtra {
  readonly files: readonly MessageFile[];
  /** Ids and names of collections, of a conversation that is not there yet. */
  readonly collections: readonly { readonly id: string; readonly name: string }[];
  /** What such a conversation will be answered with, as far as it was chosen. */
  readonly settings?: StoredSettings | undefined;
}

/** What a draft of this browser holds, as far as it can be read. */
export function chatExtra(extra: unknown): ChatExtra {
  const { files, collections, settings } = (extra ?? {}) as Readonly<Record<string, unknown>>;
  return {
    files: Array.isArray(files) ? files.filter(isFile) : [],
    collections: Array.isArray(collections)
      ? collections.filter(
          (one: unknown): one is { readonly id: string; readonly name: string } =>
            typeof (one as { id?: unknown } | null)?.id === 'string' &&
            typeof (one as { name?: unknown } | null)?.name === 'string',
        )
      : [],
    ...(settings === undefined ? {} : { settings: storedSettings(settings) }),
  };
}

/** The same as a draft stores it; undefined where there is nothing. */
export const storedExtra = (extra: ChatExtra): ChatExtra | undefined =>
  extra.files.length === 0 && extra.collections.length === 0 && extra.settings === undefined ? undefined : extra;
