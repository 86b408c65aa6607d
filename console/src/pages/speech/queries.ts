import { SpeechMeans, Transcript } from '@ai-studio/contract/console/speech.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, send } from '../../api/client.ts';
import { sendFile } from '../../api/send-file.ts';

export const speechQuery = queryOptions({
  queryKey: ['speech'],
  queryFn: ({ signal }) => api.get('/speech', SpeechMeans, { signal }),
});

interface WriteOptions {
  readonly model: string;
  readonly language: string | null;
  readonly signal: AbortSignal;
  /** Bytes that were sent. */
  readonly onProgress: (sent: number) => void;
}

/** Has a recording written down. */
export const writeDown = (file: File, { model, language, ...rest }: WriteOptions): Promise<Transcript> =>
  sendFile('/speech/transcriptions', file, Transcript, { ...rest, query: { model, language, size: file.size } });

interface Said {
  readonly input: string;
  readonly model: string;
  readonly voice: string | null;
  readonly speed: number;
}

/** Has a text said; resolves with an MP3 file. */
export const say = async (body: Said): Promise<Blob> => (await send('POST', '/speech/say', { body })).blob();
