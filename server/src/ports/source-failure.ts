import type { ConnectorReason } from '@ai-studio/contract/retrieval/connector-reasons.ts';
import { type ErrorCode, type ErrorDetail, StudioError } from '../kernel/errors.ts';

/** The class of each failure of a source, and its English words with places for values. */
const failures = {
  access_refused: [
    'forbidden',
    'The server refuses access ({status}); check the secrets of the connector, and what its account may read',
  ],
  secrets_refused: [
    'forbidden',
    'The source does not take the secrets of the connector, or its account may not read; check them',
  ],
  document_gone: ['not_found', 'The source has no such document any more'],
  server_answered: ['unavailable', 'The server answered {status}'],
  larger_than: ['too_large', 'It is larger than {max_bytes} bytes'],
  address_unreachable: ['unavailable', 'The source does not answer: the address cannot be reached, or may not be'],
  https_only: ['unavailable', 'The source is not asked: only https addresses are, unless their host was opened'],
  too_slow: ['unavailable', 'The source does not answer in time'],
  source_silent: ['unavailable', 'The source does not answer'],
  redirects_elsewhere: ['unavailable', 'The server sends on to another place, which is not followed'],
  redirects_to: ['unavailable', 'The site sends on to {address}; name that address'],
  leads_away: ['unavailable', 'It sends on to {address}, which is no part of the source'],
  redirects_endlessly: ['unavailable', 'The server sends on from one address to the next'],
  pages_endless: ['unavailable', 'The service names further pages without end'],
  page_elsewhere: ['unavailable', 'The service names a page of another server'],
  not_understood: ['invalid_request', 'The service does not understand what is asked for (400)'],
  too_busy: ['unavailable', 'The service asks for patience again and again'],
  answer_odd: ['unavailable', 'The service does not answer as it should'],
  not_protocol: ['unavailable', 'The server does not answer as {protocol} does'],
  folder_missing: ['unavailable', 'The folder is not there'],
  folder_closed: ['forbidden', 'The folder lies below none of the folders that the configuration allows'],
  path_relative: ['invalid_request', 'The path of the folder must be absolute'],
  no_folder: ['invalid_request', 'The path leads to no folder'],
  read_refused: ['unavailable', 'The service may not read it'],
  read_failed: ['unavailable', 'It could not be read ({error})'],
  path_too_long: ['unavailable', 'Its path is longer than {limit} characters'],
  too_deep: ['unavailable', 'It lies deeper than {limit} folders'],
  over_limit: ['unavailable', 'There are more than {limit} documents'],
  folders_over_limit: ['unavailable', 'There are more than {limit} folders'],
  entries_over_limit: ['unavailable', 'There are more than {limit} files and folders'],
  listing_incomplete: ['unavailable', 'The source does not tell all that it has'],
  place_missing: ['unavailable', 'There is no such site, library, folder or OneDrive'],
  library_missing: ['unavailable', 'The site has no library {library}'],
  library_unlisted: ['unavailable', 'The service does not list the library'],
  malware: ['unavailable', 'The service found malware in it'],
  cql_wrong: ['invalid_request', 'Confluence does not understand the query'],
  confluence_missing: ['unavailable', 'There is no Confluence at this address'],
  branch_missing: ['unavailable', 'The repository has no branch {branch}'],
  branch_unnamed: ['unavailable', 'The repository has no first branch; name one'],
  repository_missing: ['unavailable', 'The server has no such repository, or it is private'],
  repository_refuses: ['unavailable', 'The server of the repository refuses: {message}'],
  repository_folder_missing: ['unavailable', 'The repository has no folder {folder}'],
  git_version: ['unavailable', 'The server of the repository does not speak version 2 of the protocol of Git'],
  git_lfs: ['unprocessable', 'The file is kept in Git LFS, which is not read'],
  bucket_missing: ['unavailable', 'The storage has no such bucket'],
  key_unusable: ['unavailable', 'Its key is too long, or names no object of its own'],
  address_too_long: ['invalid_request', 'The address is too long'],
  robots_refuse: ['forbidden', 'The site asks in its robots.txt not to be read by programs'],
  page_missing: ['unavailable', 'The site has no such page'],
  sitemap_unreadable: ['unavailable', 'A site map could not be read, or there are too many'],
  feed_missing: ['unavailable', 'There is no feed at this address'],
  query_slow: ['unavailable', 'The query takes too long'],
  query_fails: ['invalid_request', 'The query fails: {message}'],
  column_missing: ['invalid_request', 'The query gives no column {column}'],
  ids_too_long: ['unavailable', 'The ids of the query are too long to go through it'],
  id_missing: ['unavailable', 'The query gives {rows} rows without an id, which are not taken'],
  id_twice: ['unavailable', 'The query gives several rows with this id; one of them is taken'],
  tls_missing: [
    'unavailable',
    'The database offers no encryption (TLS); switch it on there, or off in the settings where the host is a private one',
  ],
  id_unusable: ['unavailable', 'Its id is empty or too long'],
  format_unsupported: ['unsupported_media_type', 'Files of this kind are not read'],
  file_unreadable: ['unprocessable', 'The file is empty or damaged'],
  file_empty: ['unprocessable', 'It is empty: nothing is found of it'],
  removal_waits: [
    'unavailable',
    '{documents} documents that were not met are left, as they may only not have been seen',
  ],
  owner_gone: [
    'forbidden',
    'Whoever the connector acts for may not add to collections any more; whoever may change the collection takes it over by changing the connector',
  ],
  process_ended: ['internal', 'It ended the service several times'],
  run_failed: ['internal', 'The run could not be made; the log of the service tells more'],
  readers_unknown: ['unavailable', 'Who may read it cannot be told: only those who look after the collection do'],
  group_unknown: ['unavailable', 'Who is in this group cannot be told: nobody reads by it'],
} as const satisfies Record<ConnectorReason, readonly [code: ErrorCode, text: string]>;

interface Further extends Pick<ErrorDetail, 'cause' | 'param' | 'values'> {
  /** What the English words go on with after a colon. */
  readonly because?: string;
}

/** A failure of a source by its name, so that each surface has words for it. */
export function sourceFailure(reason: ConnectorReason, { because, values = {}, ...more }: Further = {}): StudioError {
  const [code, words] = failures[reason];
  const text = words.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
  return new StudioError(code, because === undefined ? text : `${text}: ${because}`, { ...more, values, reason });
}
