/** Bytes of a JSON body without the byte order mark that some programs write before it. Source: RFC 8259, section 8.1: parsers may ignore it. */
export const withoutByteOrderMark = (bytes: Buffer): Buffer =>
  bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
