import { open } from 'node:fs/promises';

/** First bytes of the pictures that models of chats take. */
const signatures: readonly { readonly type: string; readonly at: number; readonly bytes: string }[] = [
  { type: 'image/png', at: 0, bytes: '89504e470d0a1a0a' },
  { type: 'image/jpeg', at: 0, bytes: 'ffd8ff' },
  { type: 'image/gif', at: 0, bytes: '474946383761' },
  { type: 'image/gif', at: 0, bytes: '474946383961' },
  { type: 'image/webp', at: 8, bytes: '57454250' },
];

/** Media type of a picture that models take, by what the file holds; null for everything else. */
export async function pictureType(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    const head = buffer.subarray(0, bytesRead).toString('hex');
    return signatures.find(({ at, bytes }) => head.startsWith(bytes, at * 2))?.type ?? null;
  } finally {
    await file.close();
  }
}
