import { ParserDocument } from '@ai-studio/contract/console/parser.ts';
import { apiUrl } from '../../api/client.ts';
import { ApiError, errorOf } from '../../api/error.ts';

interface UploadOptions {
  readonly signal: AbortSignal;
  /** Bytes that were sent. */
  readonly onProgress: (sent: number) => void;
}

/** Uploads a document. Uses XMLHttpRequest, because `fetch` reports no progress. Rejects with ApiError, or the signal's reason. */
export function uploadDocument(file: File, { signal, onProgress }: UploadOptions): Promise<ParserDocument> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    const stop = () => call.abort();
    const refuse = (error: Error) => {
      signal.removeEventListener('abort', stop);
      reject(error);
    };
    const lost = () => refuse(new ApiError(0, 'network', 'The service did not answer'));
    const settle = async () => {
      if (call.status >= 300) throw await errorOf(new Response(call.responseText, { status: call.status }));
      return ParserDocument.parse(JSON.parse(call.responseText));
    };
    call.open('POST', apiUrl('/parser', { name: file.name, size: file.size }));
    call.setRequestHeader('Content-Type', 'application/octet-stream');
    call.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    call.addEventListener('error', lost);
    call.addEventListener('abort', () => refuse(signal.reason as Error));
    call.addEventListener('load', () => {
      settle().then(resolve, refuse);
      signal.removeEventListener('abort', stop);
    });
    signal.addEventListener('abort', stop, { once: true });
    call.send(file);
  });
}
