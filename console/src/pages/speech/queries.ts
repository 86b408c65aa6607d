import { SpeechMeans, type Transcript, TranscriptEvent } from '@ai-studio/contract/console/speech.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, send } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { postFile } from '../../api/send-file.ts';

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
  /** What is written down so far, and the share of the whole that it is (0 to 1). */
  readonly onText: (text: string, share: number) => void;
}

/** Events of a stream as far as it has come; the last line may not be whole. */
const eventsOf = (text: string): TranscriptEvent[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('data: '))
    .map((line) => TranscriptEvent.parse(JSON.parse(line.slice('data: '.length))));

/** Has a recording written down. Rejects with ApiError, or the signal's reason. */
export async function writeDown(file: File, { model, language, onText, ...rest }: WriteOptions): Promise<Transcript> {
  const query = { model, language, size: file.size };
  const onAnswer = (text: string) => {
    const segments = eventsOf(text).filter((event) => event.type === 'segment');
    if (segments.length > 0) onText(segments.map((one) => one.text).join(' '), segments.at(-1)?.share ?? 0);
  };
  const last = eventsOf(await postFile('/speech/transcriptions', file, { ...rest, query, onAnswer })).at(-1);
  if (last?.type === 'done') return last.transcript;
  if (last?.type === 'failed') throw new ApiError(500, 'transcription', last.message, { reason: last.reason });
  throw new ApiError(0, 'network', 'The answer broke off');
}

interface Said {
  readonly input: string;
  readonly model: string;
  readonly voice: string | null;
  readonly speed: number;
}

/** Has a text said; resolves with an MP3 file. */
export const say = async (body: Said): Promise<Blob> => (await send('POST', '/speech/say', { body })).blob();
