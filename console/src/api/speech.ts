import { SpeechOptions, type Transcript, TranscriptEvent } from '@ai-studio/contract/console/speech.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, send } from './client.ts';
import { ApiError } from './error.ts';
import { postFile } from './send-file.ts';

export const speechQuery = queryOptions({
  queryKey: ['speech'],
  queryFn: ({ signal }) => api.get('/speech', SpeechOptions, { signal }),
  // Models come and go while the page is open.
  refetchInterval: 5_000,
});

/** How far a recording is written down; times in seconds. */
export interface Progress {
  readonly text: string;
  readonly done: number;
  readonly length: number;
}

interface TranscribeOptions {
  readonly model: string;
  readonly language: string | null;
  readonly signal: AbortSignal;
  /** Bytes that were sent. */
  readonly onSent: (bytes: number) => void;
  readonly onProgress: (progress: Progress) => void;
}

/** Reads the events of a stream, which is given as far as it has come each time; the last line may not be whole. */
function createReader(onEvent: (event: TranscriptEvent) => void) {
  let read = 0;
  return (text: string) => {
    for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
      const line = text.slice(read, end);
      read = end + 2;
      if (line.startsWith('data: ')) onEvent(TranscriptEvent.parse(JSON.parse(line.slice('data: '.length))));
    }
  };
}

/** Transcribes a recording. Rejects with ApiError, or the signal's reason. */
export async function transcribe(
  file: File,
  { model, language, signal, onSent, onProgress }: TranscribeOptions,
): Promise<Transcript> {
  const texts: string[] = [];
  let last: TranscriptEvent | null = null;
  const read = createReader((event) => {
    last = event;
    if (event.type !== 'progress') return;
    if (event.text !== null) texts.push(event.text);
    onProgress({ text: texts.join(' '), done: event.done, length: event.length });
  });
  const query = { model, language, size: file.size };
  read(await postFile('/speech/transcriptions', file, { query, signal, onProgress: onSent, onAnswer: read }));
  const end = last as TranscriptEvent | null;
  if (end?.type === 'done') return end.transcript;
  if (end?.type === 'failed') {
    const { reason, values, message } = end;
    throw new ApiError(500, 'transcription', message, { reason, values });
  }
  throw new ApiError(0, 'network', 'The answer broke off');
}

interface SpeechBody {
  readonly input: string;
  readonly model: string;
  readonly voice: string | null;
  readonly speed: number;
}

/** Synthesises speech; resolves with an MP3 file. */
export const synthesizeSpeech = async (body: SpeechBody, signal?: AbortSignal): Promise<Blob> =>
  (await send('POST', '/speech/say', { body, ...(signal === undefined ? {} : { signal }) })).blob();
