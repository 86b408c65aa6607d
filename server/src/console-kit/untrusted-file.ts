import type { FastifyReply } from 'fastify';

/** Isolates content of an untrusted file: a browser must not treat it as a page of this service. */
export const sandboxReply = (reply: FastifyReply, type: string): FastifyReply =>
  reply.type(type).header('Content-Security-Policy', "default-src 'none'; sandbox");

/** Replies with bytes that were derived from an untrusted file, such as a picture of a page. */
export function sendUntrusted(
  reply: FastifyReply,
  { type, bytes }: { readonly type: string; readonly bytes: Uint8Array },
): Buffer {
  void sandboxReply(reply, type);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
