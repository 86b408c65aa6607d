/** Longest side of a picture in pixels: models look at no more. */
const MAX_SIDE = 2_048;
/** A picture that is not larger stays as it is. */
const MAX_BYTES = 3_000_000;
const QUALITY = 0.9;

const resized = /^image\/(?:png|jpeg|webp|bmp)$/;

/** A picture as models take it: one from a camera is made smaller. What cannot be drawn stays as it is. */
export async function shrinkPicture(file: File): Promise<File> {
  if (!resized.test(file.type)) return file;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
    if (scale === 1 && file.size <= MAX_BYTES && file.type !== 'image/bmp') return file;
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    const place = canvas.getContext('2d');
    if (place === null) return file;
    // What is transparent is white on paper, too.
    place.fillStyle = '#fff';
    place.fillRect(0, 0, canvas.width, canvas.height);
    place.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    if (made === null) return file;
    return new File([made], file.name.replace(/\.\w+$/, '.jpg'), { type: made.type });
  } catch {
    return file;
  }
}
