/** Why a document can't be read. Source: architecture section 8. */
export type ParseErrorCode =
  | 'ENCRYPTED'
  | 'CORRUPTED'
  | 'TOO_LARGE'
  | 'TIMEOUT'
  | 'UNSUPPORTED'
  | 'NEEDS_OCR'
  /** Its process was ended, again and again: by the system for want of memory, or for a reason that nobody knows. */
  | 'PROCESS_ENDED';

/** A document can't be read: `message` is one sentence for people, with what to do about it where there is something. */
export class ParseError extends Error {
  readonly code: ParseErrorCode;

  constructor(code: ParseErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ParseError';
    this.code = code;
  }
}
