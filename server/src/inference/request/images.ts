import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { StudioError, invalidRequest } from '../../kernel/errors.ts';
import { parseJson } from './check.ts';

/** Fetches one image; rejects with an Error whose message says why not, for the caller. */
export type FetchImage = (
  url: string,
  signal: AbortSignal,
) => Promise<{ readonly bytes: Buffer; readonly type: string }>;

/** More in one request are refused: each is a call to somebody else's server. */
const MAX_IMAGES = 16;

interface ImageReference {
  readonly param: string;
  readonly holder: { url: string };
}

function remoteImages(request: ChatRequest): ImageReference[] {
  return request.messages.flatMap(({ content }, i) => {
    if (!Array.isArray(content)) return [];
    return content.flatMap((part, j) => {
      if (part.type !== 'image_url' || !isRemote(part.image_url.url)) return [];
      return [{ param: `messages[${i}].content[${j}].image_url.url`, holder: part.image_url }];
    });
  });
}

/** Whether an image is given by an address. */
export const isRemote = (url: string): boolean => /^https?:/i.test(url);

/** What an image is in a body, in bytes: base64 takes four for three. */
const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;

export interface InlineOptions {
  readonly fetchImage: FetchImage;
  /** Largest body with its images in it, in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * The body with images that are given by address put into it as data: URLs, one after the other, as far as they fit. Rejects
 * with StudioError `invalid_request` that names the image, `too_large`, or with the signal's reason.
 */
export async function inlineImages(bytes: Buffer, { fetchImage, maxBytes, signal }: InlineOptions): Promise<Buffer> {
  const request = parseJson(bytes.toString('utf8')) as ChatRequest;
  const places = remoteImages(request);
  if (places.length > MAX_IMAGES)
    throw invalidRequest(`At most ${MAX_IMAGES} images of a request may be given by address`, 'messages');
  let size = bytes.length;
  for (const { param, holder } of places) {
    const image = await fetchImage(holder.url, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      const reason = cause instanceof Error ? cause.message : 'unknown';
      throw new StudioError('invalid_request', `${param} cannot be fetched: ${reason}`, { param, cause });
    });
    size += base64Length(image.bytes.length);
    if (size > maxBytes)
      throw new StudioError('too_large', `The body with its images is larger than ${maxBytes} bytes`, { param });
    holder.url = `data:${image.type};base64,${image.bytes.toString('base64')}`;
  }
  return Buffer.from(JSON.stringify(request));
}
