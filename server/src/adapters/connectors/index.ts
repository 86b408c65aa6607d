import type { ConnectorSettings } from '@ai-studio/contract/retrieval/connector.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Connector } from '../../ports/connector.ts';
import { createConfluenceConnector } from './confluence.ts';
import { createCrawlConnector } from './crawl.ts';
import { createFeedConnector } from './feed.ts';
import { createFolderConnector, isAllowedFolder } from './folder.ts';
import { createGitConnector } from './git.ts';
import { createGoogleDriveConnector } from './google-drive.ts';
import { createS3Connector } from './s3.ts';
import { createSharepointConnector } from './sharepoint.ts';
import { mysql } from './sql-mysql.ts';
import { postgresql } from './sql-postgresql.ts';
import { createSqlConnector, type ResolveHost } from './sql.ts';
import type { WebRequest } from './web.ts';
import { createWebdavConnector } from './webdav.ts';

/** What sources are reached by. */
export interface SourceDeps {
  /** Folders below which sources of this machine may lie. */
  readonly folders: readonly string[];
  /** Asks addresses, behind the address guard. */
  readonly request: WebRequest;
  /** Resolves hosts, behind the address guard. */
  readonly resolve: ResolveHost;
}

type Secrets = Readonly<Record<string, string>>;

/** The secrets of a source by their names, all of them or none. Throws StudioError `invalid_request`. */
function secretsOf<Name extends string>(secrets: Secrets | null, names: readonly Name[]): Record<Name, string> | null {
  const given = Object.entries(secrets ?? {}).filter(([, value]) => value !== '');
  if (given.length === 0) return null;
  if (given.length === names.length && names.every((name) => given.some(([one]) => one === name)))
    return Object.fromEntries(given) as Record<Name, string>;
  const wanted = names.length === 0 ? 'has no secrets' : `has the secrets ${names.join(' and ')}, both or none`;
  throw new StudioError('invalid_request', `A source of this kind ${wanted}`, {
    param: 'secrets',
  });
}

/** The secrets of a source that may be given in several ways. Throws StudioError `invalid_request`. */
function secretsOfWays<Way extends readonly (readonly string[])[]>(
  secrets: Secrets | null,
  ways: Way,
): { [At in keyof Way]: Record<Way[At][number], string> }[number] {
  const given = Object.entries(secrets ?? {}).filter(([, value]) => value !== '');
  const way = ways.find((names) => given.length === names.length && given.every(([name]) => names.includes(name)));
  if (way === undefined)
    throw new StudioError(
      'invalid_request',
      `A source of this kind needs the secrets ${ways.map((names) => names.join(' and ')).join(', or ')}`,
      { param: 'secrets' },
    );
  return Object.fromEntries(given) as { [At in keyof Way]: Record<Way[At][number], string> }[number];
}

/** The same for a source that can do nothing without them. */
function neededSecrets<Name extends string>(secrets: Secrets | null, names: readonly Name[]): Record<Name, string> {
  const given = secretsOf(secrets, names);
  if (given !== null) return given;
  throw new StudioError('invalid_request', `A source of this kind needs the secrets ${names.join(' and ')}`, {
    param: 'secrets',
  });
}

const endingsOf = ({ endings }: { readonly endings?: readonly string[] | undefined }): ReadonlySet<string> | null =>
  endings === undefined ? null : new Set(endings);

const withoutSlashes = (path: string): string => path.replaceAll(/^\/+|\/+$/g, '');

/** Opens sources by their kind. Throws StudioError `invalid_request` for settings or secrets that can't be right. */
export const createSourceOpener =
  ({ folders, request, resolve }: SourceDeps) =>
  (
    settings: ConnectorSettings,
    secrets: Secrets | null,
    { tellsReaders }: { readonly tellsReaders: boolean } = { tellsReaders: false },
  ): Connector => {
    switch (settings.kind) {
      case 'folder':
        secretsOf(secrets, []);
        if (!isAllowedFolder(folders, settings.path))
          throw new StudioError(
            'invalid_request',
            'The folder lies below none of the folders that the configuration allows',
            { param: 'settings.path', reason: 'connector_folder_closed' },
          );
        return createFolderConnector({ allowed: folders, path: settings.path, endings: endingsOf(settings) });
      case 'web':
        secretsOf(secrets, []);
        return createCrawlConnector({
          url: settings.url,
          depth: settings.depth,
          within: settings.within ?? null,
          usesSitemap: settings.sitemap,
          endings: endingsOf(settings),
          request,
        });
      case 'feed':
        secretsOf(secrets, []);
        return createFeedConnector({ url: settings.url, takesPages: settings.pages, request });
      case 'mysql':
      case 'postgresql': {
        const { kind, ...place } = settings;
        const credentials = neededSecrets(secrets, ['username', 'password']);
        return createSqlConnector(kind === 'mysql' ? mysql : postgresql, { ...place, credentials, resolve });
      }
      case 's3': {
        const credentials = neededSecrets(secrets, ['access_key_id', 'secret_access_key']);
        const { endpoint, region, bucket, prefix } = settings;
        return createS3Connector({
          endpoint,
          region,
          bucket,
          prefix,
          credentials,
          endings: endingsOf(settings),
          request,
        });
      }
      case 'confluence':
        return createConfluenceConnector({
          url: settings.url,
          spaces: settings.spaces ?? [],
          cql: settings.cql ?? null,
          takesFiles: settings.files,
          credentials: secretsOfWays(secrets, [['username', 'password'], ['token']] as const),
          endings: endingsOf(settings),
          request,
          tellsReaders,
        });
      case 'sharepoint': {
        const { tenant, client_id: clientId, site, user = '', library = null, folder } = settings;
        return createSharepointConnector({
          tenant,
          clientId,
          clientSecret: neededSecrets(secrets, ['client_secret']).client_secret,
          place: site === undefined ? { user } : { site },
          library,
          folder: withoutSlashes(folder),
          endings: endingsOf(settings),
          request,
          tellsReaders,
        });
      }
      case 'google_drive':
        return createGoogleDriveConnector({
          credentials: secretsOfWays(secrets, [
            ['service_account'],
            ['client_id', 'client_secret', 'refresh_token'],
          ] as const),
          subject: settings.subject ?? null,
          drive: settings.drive ?? null,
          folder: settings.folder ?? null,
          endings: endingsOf(settings),
          request,
          tellsReaders,
        });
      case 'git':
        return createGitConnector({
          url: settings.url,
          branch: settings.branch ?? null,
          folder: withoutSlashes(settings.folder),
          pattern: settings.pattern ?? null,
          credentials: secretsOf(secrets, ['username', 'password']),
          endings: endingsOf(settings),
          request,
        });
      case 'webdav':
        return createWebdavConnector({
          url: settings.url,
          credentials: secretsOf(secrets, ['username', 'password']),
          endings: endingsOf(settings),
          request,
        });
    }
  };
