import type { Core } from '../../ocr/core.ts';
import { decode } from '../../ocr/decode.ts';
import { type GreyImage, orientedImage, stackedImages } from '../../ocr/grey.ts';
import type { ImageHeader, ImagePage } from './header.ts';
import { COMPRESSION_JPEG, deflateCompressions, inflatedTiff, jpegStrips } from './tiff-unpack.ts';
import { startingAt } from './tiff.ts';

function decodedStrips(core: Core, bytes: Uint8Array, directory: number, smaller: number): GreyImage | null {
  const images = jpegStrips(bytes, directory)?.map((strip) => decode(core, strip, smaller)) ?? [];
  return images.every((image) => image !== null) ? stackedImages(images) : null;
}

/**
 * A page of a picture in grey, `smaller` times smaller and as it is to be seen; null where it cannot be decoded. Throws RangeError
 * where it is too large, errors of zlib where it is damaged.
 */
export function decodedPage(
  core: Core,
  bytes: Uint8Array,
  { kind, page, smaller }: { readonly kind: ImageHeader['kind']; readonly page: ImagePage; readonly smaller: number },
): GreyImage | null {
  const { directory, compression = 1, orientation } = page;
  let image: GreyImage | null;
  if (directory === undefined) image = decode(core, bytes, smaller);
  else if (compression === COMPRESSION_JPEG) image = decodedStrips(core, bytes, directory, smaller);
  else {
    const file = deflateCompressions.has(compression) ? inflatedTiff(bytes, directory) : startingAt(bytes, directory);
    image = file === null ? null : decode(core, file, smaller);
  }
  if (image === null || image.width < 1 || image.height < 1) return null;
  // The library turns TIFF pages itself, where it sees more of them than strips.
  return kind === 'tiff' && compression !== COMPRESSION_JPEG ? image : orientedImage(image, orientation);
}
