/** UTF-8 text of both Korean and English comes to about this many bytes a token. */
const BYTES_PER_TOKEN = 4;

/** Tokens of texts by their bytes, as those of chats are estimated, where a server tells no count. */
export const estimateTextTokens = (texts: readonly string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / BYTES_PER_TOKEN);
