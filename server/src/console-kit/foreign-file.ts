import type { FastifyReply } from 'fastify';

/** What comes of a stranger's file is no page of ours, wherever a browser shows it. */
export const markForeign = (reply: FastifyReply, type: string): FastifyReply =>
  reply.type(type).header('Content-Security-Policy', "default-src 'none'; sandbox");

/** Answers with bytes that were made of a stranger's file, such as a picture of a page. */
export function sendForeign(
  reply: FastifyReply,
  { type, bytes }: { readonly type: string; readonly bytes: Uint8Array },
): Buffer {
  void markForeign(reply, type);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
