import type { ChatRequest, ContentPart } from '@ai-studio/contract/chat/request.ts';
import { type StudioError, invalidRequest } from '../../kernel/errors.ts';
import type { JsonOutline } from '../../kernel/json-outline/index.ts';
import type { CatalogueModel } from '../../models/catalogue.ts';
import { isBase64, isBase64Within } from './base64.ts';
import { isRemote } from './images.ts';

/** What there is of images and the like. */
export interface Media {
  /** Whether there is any of them. */
  readonly any: boolean;
  /** Some images are given by address. */
  readonly remote: boolean;
}

type MediaPart = Exclude<ContentPart, { type: 'text' }>;

/** Names of the fields that bodies with media have; one without any is refused by its size before it is parsed. */
const markers = ['"image_url"', '"input_audio"', '"video_url"', '"file_data"'];

export const mayHoldMedia = (bytes: Buffer): boolean => markers.some((marker) => bytes.includes(marker));

const nouns = { image_url: 'an image', input_audio: 'sound', file: 'a file', video_url: 'a video' } as const;

function isTaken({ type }: MediaPart, { images, inputs }: CatalogueModel): boolean {
  switch (type) {
    case 'image_url':
      return images;
    case 'input_audio':
      return inputs.includes('audio');
    case 'file':
      return inputs.includes('file');
    case 'video_url':
      return inputs.includes('video');
  }
}

const imageUrl = /^data:image\/[a-z0-9.+-]+;base64,/i;
const videoUrl = /^data:video\/[a-z0-9.+-]+;base64,/i;
const fileUrl = /^data:[a-z0-9.+-]+\/[a-z0-9.+-]+;base64,/i;

const notBase64 = (param: string): StudioError =>
  invalidRequest(`${param} is damaged: what follows base64, is no base64 with its padding`, param);

/** What is known of the view of a body. */
interface ViewOptions {
  readonly mayFetchImages: boolean;
  /** Whether an address was cut in the view, so that only its beginning can be looked at. */
  readonly isCut: (url: string) => boolean;
}

function checkDataUrl(url: string, form: RegExp, param: string, wanted: string, isCut: ViewOptions['isCut']): void {
  const head = form.exec(url)?.[0];
  if (head === undefined) throw invalidRequest(`${param} must be a data: URL of ${wanted}`, param);
  if (!isCut(url) && !isBase64(url, head.length)) throw notBase64(param);
}

/** Checks where a part comes from. Returns whether it is to be fetched. */
function checkSource(part: MediaPart, place: string, { mayFetchImages, isCut }: ViewOptions): boolean {
  switch (part.type) {
    case 'image_url': {
      const { url } = part.image_url;
      const param = `${place}.image_url.url`;
      if (isRemote(url) && mayFetchImages) return true;
      const hint = isRemote(url) ? '; this service fetches no images (images.fetch)' : '';
      checkDataUrl(url, imageUrl, param, `an image, such as data:image/png;base64,…${hint}`, isCut);
      return false;
    }
    case 'video_url':
      checkDataUrl(
        part.video_url.url,
        videoUrl,
        `${place}.video_url.url`,
        'a video, such as data:video/mp4;base64,…',
        isCut,
      );
      return false;
    case 'file':
      checkDataUrl(
        part.file.file_data,
        fileUrl,
        `${place}.file.file_data`,
        'a file, such as data:application/pdf;base64,…',
        isCut,
      );
      return false;
    case 'input_audio':
      if (!isBase64(part.input_audio.data)) throw notBase64(`${place}.input_audio.data`);
      return false;
  }
}

/** Checks parts that are no text against the model. Throws the StudioError that names the first that is wrong. */
export function checkMedia({ messages }: ChatRequest, model: CatalogueModel, options: ViewOptions): Media {
  let any = false;
  let remote = false;
  for (let i = 0; i < messages.length; i++) {
    const content = messages[i]?.content;
    if (!Array.isArray(content)) continue;
    for (const [j, part] of content.entries()) {
      if (part.type === 'text') continue;
      const param = `messages[${i}].content[${j}]`;
      if (!isTaken(part, model))
        throw invalidRequest(`${param} is ${nouns[part.type]}, which the model ${model.id} does not take`, param);
      any = true;
      if (checkSource(part, param, options)) remote = true;
    }
  }
  return { any, remote };
}

/** What was cut in an outline. */
export const cutTexts = ({ text, texts }: JsonOutline): ReadonlySet<string> =>
  new Set(texts.map(({ start, end }) => text.slice(start, end)));

/**
 * Looks at the images and videos whose addresses were cut in the outline of a body, in the body itself. Throws where one may be damaged; which
 * one it is, and whether it is one at all, the whole body says.
 */
export function checkCutMedia(bytes: Buffer, outline: JsonOutline): void {
  const { text, texts } = outline;
  const urls = texts.flatMap(({ start, end }) => {
    const url = text.slice(start, end);
    const head = (imageUrl.exec(url) ?? videoUrl.exec(url))?.[0];
    return head === undefined ? [] : [start + head.length, end];
  });
  const places = outline.toSource(urls);
  for (let at = 0; at < places.length; at += 2)
    if (!isBase64Within(bytes, places[at] ?? 0, places[at + 1] ?? 0)) throw notBase64('messages');
}
