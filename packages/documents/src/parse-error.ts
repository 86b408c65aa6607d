/** Why a document can't be read. Source: architecture section 8. */
export type ParseErrorCode = 'ENCRYPTED' | 'CORRUPTED' | 'TOO_LARGE' | 'TIMEOUT' | 'UNSUPPORTED' | 'NEEDS_OCR';

/** A document can't be read: `message` is one sentence for people, with what to do about it where there is something. */
export class ParseError extends Error {
  readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ParseError';
    this.code = code;
  }
}
