import { ModelFileName, WeightsUploaded } from '@ai-studio/contract/console/models.ts';
import { apiUrl } from '../../api/client.ts';
import { ApiError, errorOf } from '../../api/error.ts';

/** A piece of a file: small enough to be sent again, large enough not to matter. */
const PIECE_BYTES = 16 * 1024 * 1024;
/** How often a piece is sent before the upload fails. */
const MAX_ATTEMPTS = 4;

interface UploadOptions {
  readonly signal: AbortSignal;
  /** Bytes that the service has. */
  readonly onProgress: (received: number) => void;
}

async function sendPiece(
  file: File,
  offset: number,
  signal: AbortSignal,
): Promise<{ received: number; id: string | null }> {
  const response = await fetch(apiUrl('/weights/upload', { name: file.name, size: file.size, offset }), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file.slice(offset, offset + PIECE_BYTES),
    signal,
  });
  if (!response.ok) throw await errorOf(response);
  const { received, local_id: id } = WeightsUploaded.parse(await response.json());
  return { received, id };
}

/** Where the service wants to go on, when a piece did not begin there. */
const wantedOffset = (error: unknown): number | null => {
  const received = error instanceof ApiError ? error.values['received'] : undefined;
  return typeof received === 'number' ? received : null;
};

/** Brings a model file to the service in pieces, from where an earlier upload broke off. Resolves with its local id. */
export async function uploadModel(file: File, { signal, onProgress }: UploadOptions): Promise<string | null> {
  if (!ModelFileName.safeParse(file.name).success)
    throw new ApiError(0, 'invalid_request', 'No name of a model file', { reason: 'file_name' });
  let offset = 0;
  let failures = 0;
  for (;;) {
    try {
      const { received, id } = await sendPiece(file, offset, signal);
      failures = 0;
      offset = received;
      onProgress(received);
      if (received >= file.size) return id;
    } catch (error) {
      const wanted = wantedOffset(error);
      const lost = error instanceof TypeError;
      failures++;
      if (signal.aborted || failures >= MAX_ATTEMPTS || (wanted === null && !lost)) throw error;
      if (wanted !== null) offset = wanted;
    }
  }
}
