import { createCursor } from './bytes.ts';

/** Addresses that a reader may follow; scripts and places within the document are none. */
const address = /^(?:https?|ftp|mailto|tel):/iu;

/** Where a field leads to; null for a field that is no link or leads into the document itself. */
export const linkOf = (id: string, data: Uint8Array): string | null => {
  if (id !== '%hlk') return null;
  const cursor = createCursor(data, 9);
  const command = cursor.text();
  const first = /^(?:\\.|[^;\\])*/su.exec(command)?.[0] ?? '';
  const target = first.replaceAll(/\\(.)/gsu, '$1').trim();
  return address.test(target) ? target : null;
};
