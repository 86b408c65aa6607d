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

/** What an office program saves a document of its older formats as. */
export const officeTargets = ['docx', 'xlsx', 'pptx'] as const;
export type OfficeTarget = (typeof officeTargets)[number];

/** A document can't be read: `message` is one sentence for people, with what to do about it where there is something. */
export class ParseError extends Error {
  readonly code: ParseErrorCode;
  /** It is of an older format that an office program can save as this one. */
  readonly savedAs: OfficeTarget | undefined;

  constructor(
    code: ParseErrorCode,
    message: string,
    options?: ErrorOptions & { readonly savedAs?: OfficeTarget | undefined },
  ) {
    super(message, options);
    this.name = 'ParseError';
    this.code = code;
    this.savedAs = options?.savedAs;
  }
}
