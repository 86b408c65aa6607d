import type { StudioError } from '../kernel/errors.ts';

/** Whom a source lets read a document. Groups are named as the source does, and stay the same for as long as the group does. */
export type SourceReader =
  | { readonly kind: 'person'; readonly email: string }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'group'; readonly id: string; readonly name: string };

/** Who may read a document: everybody, those of a list, or those alone who are on each of several lists. */
export type SourceReaders =
  | 'everybody'
  | readonly SourceReader[]
  | { readonly allOf: readonly (readonly SourceReader[])[] };

/** A document of a source, as a listing tells of it. */
export interface SourceItem {
  /** Stays the same for as long as the document does, whatever it is called; 1 to {@link MAX_SOURCE_ID} characters. */
  readonly id: string;
  /** Of the file, with its ending and without folders. */
  readonly name: string;
  /** Another one means another content: an entity tag, or the time of the last change with the length. */
  readonly version: string;
  /** Null where the source does not tell before the document is fetched. */
  readonly bytes: number | null;
  /** What becomes metadata of the document, such as `folder` and `url`. */
  readonly metadata: Readonly<Record<string, string>>;
  /**
   * Who may read it at the source, where the source was opened to tell so. Null where it can't be told of this document: then nobody may. Left out by
   * sources that tell nothing of readers.
   */
  readonly readers?: SourceReaders | null | undefined;
}

/** What a listing tells, one after the other. */
export type SourceChange =
  /** It is there; whether it is new or changed follows from its version. */
  | { readonly type: 'present'; readonly item: SourceItem }
  /** It is there no more. */
  | { readonly type: 'removed'; readonly id: string }
  /**
   * It can't be read now, or is left out by a limit; what was taken of it before stays. `id` is null for a part of the source, such as a
   * folder, whose documents are not known.
   */
  | { readonly type: 'unreadable'; readonly id: string | null; readonly name: string; readonly problem: StudioError }
  /**
   * The last one of a listing that came to its end. `isWhole`: all documents were named, and what was not named is there no more.
   * `cursor`: where the next listing begins; null where it begins anew. `cut`: why one that was to name all did not: what it did not name
   * stays for as long as that is so.
   */
  | {
      readonly type: 'end';
      readonly isWhole: boolean;
      readonly cursor: string | null;
      readonly cut?: StudioError | undefined;
    };

export interface ListOptions {
  /** Of the `end` of an earlier listing of the same source with the same settings; null for a first one. */
  readonly cursor: string | null;
  /** Documents that are named at most; a listing that has more is not whole. */
  readonly maxItems: number;
  readonly signal: AbortSignal;
}

export interface FetchOptions {
  /** File that is written; it does not exist before, and may be there in part after a failure. */
  readonly path: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** What was fetched. */
export interface FetchedItem {
  readonly bytes: number;
}

/** Longest id of a document in its source. */
export const MAX_SOURCE_ID = 460;

/**
 * A source of documents that are kept in step with a collection. Holds no state between listings: what is known of a source are the
 * versions of its documents and the cursor, which the caller keeps. Failures are StudioError: `unavailable` (may be done again),
 * `forbidden` (the source refuses who asks), `not_found`, `invalid_request` (settings that lead nowhere), `too_large`; those of `sourceFailure` have a
 * `reason` that the console has words for.
 */
export interface Connector {
  /** Whether listings name all documents whatever their cursor, so that it moves on also where some could not be taken; no when left out. */
  readonly namesAll?: boolean;
  /** Whether documents lie on servers of others, so that some which do not answer say nothing of the source; no when left out. */
  readonly liesElsewhere?: boolean;
  /**
   * Tells what is there, or what changed since a cursor. Ends with `end`, or throws: then nothing is known of what was not named. A source
   * that is away throws, and is never an empty listing. Throws the signal's reason.
   */
  list(options: ListOptions): AsyncIterable<SourceChange>;
  /**
   * Who is in a group that a listing named, with those of groups within it; null where the service does not tell. Left out by sources whose groups are
   * never told. Rejects as `list`.
   */
  members?(group: string, signal: AbortSignal): Promise<readonly SourceReader[] | null>;
  /** Writes the present bytes of a document to a file. Rejects with StudioError `not_found` where it is there no more, or the signal's reason. */
  fetch(id: string, options: FetchOptions): Promise<FetchedItem>;
  /** Safe to repeat. */
  close(): Promise<void>;
}
