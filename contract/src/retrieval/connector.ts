import { z } from 'zod';
import { described, describedStrictly } from '../described.ts';
import { nonBlankText, text } from './text.ts';

// Sources that collections are kept in step with.

const endings = z
  .array(z.string().regex(/^[a-z0-9]{1,10}$/))
  .min(1)
  .max(50)
  .optional()
  .describe('Endings of file names that are taken, such as pdf; all when left out');

const FolderSettings = describedStrictly('A folder of the machine of the service, or mounted there', {
  kind: z.literal('folder').describe('Kind of the source'),
  path: nonBlankText(1_000).describe('Absolute path of the folder, below one that the configuration allows'),
  endings,
});

const WebdavSettings = describedStrictly(
  'A folder of a WebDAV server, such as Nextcloud; its secrets are username and password',
  {
    kind: z.literal('webdav').describe('Kind of the source'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .describe('Address of the folder'),
    endings,
  },
);

const address = z.url({ protocol: /^https?$/ }).max(2_000);

const WebSettings = describedStrictly('A site of the web, as it is without scripts; has no secrets', {
  kind: z.literal('web').describe('Kind of the source'),
  url: address.describe('Address of the page where it begins'),
  depth: z.int().min(0).max(20).default(3).describe('Links that are followed one after the other, 0 to 20'),
  within: nonBlankText(500)
    .regex(/^\//, 'must begin with /')
    .optional()
    .describe('Beginning of the paths of pages that belong to it, such as /docs/; the whole host when left out'),
  sitemap: z.boolean().default(true).describe('Whether pages that its site maps name are taken'),
  endings: endings.describe('Endings of documents that are taken, html for pages; all when left out'),
});

const FeedSettings = describedStrictly('A feed of news, RSS or Atom; has no secrets', {
  kind: z.literal('feed').describe('Kind of the source'),
  url: address.describe('Address of the feed'),
  pages: z
    .boolean()
    .default(true)
    .describe('Whether the pages and files that its entries lead to are taken; else what the feed itself says of them'),
});

const S3Settings = describedStrictly(
  'A bucket of S3 or of another object storage; its secrets are access_key_id and secret_access_key',
  {
    kind: z.literal('s3').describe('Kind of the source'),
    endpoint: address.describe('Address of the storage, without the bucket'),
    region: nonBlankText(100).default('us-east-1').describe('Region, as the storage names it'),
    bucket: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/)
      .describe('Name of the bucket'),
    prefix: text(400).default('').describe('What keys begin with, such as docs/; all when left out'),
    endings,
  },
);

/** Of a database whose port is usually this one. */
const queryFields = (port: number) => ({
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]{1,253}$/)
    .describe('Host of the database, as a name or an IP address'),
  port: z.int().min(1).max(65_535).default(port).describe('Port of the database'),
  database: nonBlankText(63).describe('Name of the database'),
  tls: z
    .boolean()
    .default(true)
    .describe('Whether the connection is encrypted and the server proves who it is; without it private hosts alone'),
  query: nonBlankText(4_000).describe(
    'A SELECT that gives the columns id and content, and title, version, url where there are such',
  ),
});

const PostgresqlSettings = describedStrictly(
  'A query of a PostgreSQL database, a document for each row; its secrets are username and password',
  { kind: z.literal('postgresql').describe('Kind of the source'), ...queryFields(5_432) },
);

const MysqlSettings = describedStrictly(
  'A query of a MySQL or MariaDB database, a document for each row; its secrets are username and password',
  { kind: z.literal('mysql').describe('Kind of the source'), ...queryFields(3_306) },
);

const GitSettings = describedStrictly(
  'A branch of a Git repository over HTTPS; its secrets are username and password, which may be a token',
  {
    kind: z.literal('git').describe('Kind of the source'),
    url: address.describe('Address of the repository, as it is cloned'),
    branch: nonBlankText(200)
      .regex(/^[^\s~^:?*[\\]+$/, 'must be the name of a branch or a tag')
      .optional()
      .describe('Branch or tag; the first branch of the repository when left out'),
    folder: text(400).default('').describe('Folder whose files are taken, such as docs; all when left out'),
    pattern: nonBlankText(200)
      .optional()
      .describe('Pattern of paths within the folder, such as **/*.md; all when left out'),
    endings,
  },
);

const ConfluenceSettings = describedStrictly(
  'Pages of a Confluence, Cloud or Data Center; its secrets are username and password, which is a token with Cloud, or a token by itself',
  {
    kind: z.literal('confluence').describe('Kind of the source'),
    url: address.describe('Address of the Confluence, such as https://example.atlassian.net/wiki'),
    spaces: z
      .array(nonBlankText(255))
      .min(1)
      .max(50)
      .optional()
      .describe('Keys of the spaces that are taken; all that the account sees when left out'),
    cql: nonBlankText(1_000).optional().describe('Further condition in the query language of Confluence (CQL)'),
    files: z.boolean().default(true).describe('Whether files that are attached to pages are taken as well'),
    endings: endings.describe('Endings of documents that are taken, html for pages; all when left out'),
  },
);

const SharepointSettings = describedStrictly(
  'A library of SharePoint, or a OneDrive, by an application that the directory knows; its secret is client_secret',
  {
    kind: z.literal('sharepoint').describe('Kind of the source'),
    tenant: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/)
      .describe('Directory (tenant) of the organisation, as its id or a domain'),
    client_id: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,100}$/)
      .describe('Id of the application, which has the permission Files.Read.All or Sites.Read.All'),
    site: z
      .url({ protocol: /^https$/ })
      .max(2_000)
      .optional()
      .describe('Address of the site, such as https://example.sharepoint.com/sites/hr; or user'),
    user: nonBlankText(320).optional().describe('Account whose OneDrive it is, such as an e-mail address; or site'),
    library: nonBlankText(200).optional().describe('Name of a library of the site; its first one when left out'),
    folder: text(400).default('').describe('Path of the folder that is taken; all when left out'),
    endings,
  },
).refine(({ site, user }) => (site === undefined) !== (user === undefined), {
  message: 'takes one of site and user',
  path: ['site'],
});

const driveId = z.string().regex(/^[\w-]{1,200}$/);
const GoogleDriveSettings = describedStrictly(
  'Files of Google Drive; its secret is service_account, the key file of such an account, or client_id, client_secret and refresh_token',
  {
    kind: z.literal('google_drive').describe('Kind of the source'),
    drive: driveId.optional().describe('Id of a shared drive; what the account sees when left out'),
    folder: driveId
      .optional()
      .describe('Id of the folder that is taken, as it stands in its address; all when left out'),
    subject: nonBlankText(320)
      .optional()
      .describe('Person in whose name a service account reads; what was shared with the account itself when left out'),
    endings: endings.describe('Endings of documents that are taken, docx for documents of Google; all when left out'),
  },
);

export const ConnectorSettings = z
  .discriminatedUnion('kind', [
    FolderSettings,
    WebdavSettings,
    WebSettings,
    FeedSettings,
    S3Settings,
    PostgresqlSettings,
    MysqlSettings,
    GitSettings,
    ConfluenceSettings,
    SharepointSettings,
    GoogleDriveSettings,
  ])
  .describe('What a source is and where it lies, without secrets');
/** What a source is and where it lies, without secrets. */
export type ConnectorSettings = z.infer<typeof ConnectorSettings>;

/** Kinds of sources that tell who may read their documents. */
export const kindsWithReaders: readonly ConnectorSettings['kind'][] = ['confluence', 'google_drive', 'sharepoint'];

const ConnectorAccess = z
  .enum(['collection', 'source'])
  .describe(
    'collection: its documents are for whoever sees the collection; source: each is for those whom the source lets read it, known by their e-mail addresses, besides whoever may change the collection. Kinds of sources that tell: confluence, google_drive, sharepoint',
  );
/** For whom documents of a connector are. */
export type ConnectorAccess = z.infer<typeof ConnectorAccess>;

const ConnectorGroup = describedStrictly('Who is in a group of which the source does not tell', {
  name: nonBlankText(300).describe('Name or id of the group, as the source has it; of Google its e-mail address'),
  members: z.array(z.email().max(320)).max(2_000).describe('E-mail addresses of its people'),
});
/** Who is in a group. */
export type ConnectorGroup = z.infer<typeof ConnectorGroup>;
const groups = z
  .array(ConnectorGroup)
  .max(200)
  .describe('Who is in groups that the source names as readers, where it does not tell itself; nobody in all others');

const changeable = {
  name: nonBlankText(200).describe('Name of the connector'),
  every_minutes: z
    .int()
    .min(5)
    .max(43_200)
    .nullable()
    .describe('Minutes between runs, 5 to 43,200; null: by hand alone'),
  max_documents: z.int().min(1).max(100_000).describe('Documents that are taken at most, 1 to 100,000'),
};
const secrets = z
  .record(text(100), text(4_000))
  .nullable()
  .describe('Secrets of the source by name, such as password; kept encrypted and never given back; null for none');

export const NewConnector = describedStrictly('A connector that is to be made', {
  name: changeable.name,
  paused: z.boolean().default(false).describe('Whether it runs by hand alone until it is resumed'),
  settings: ConnectorSettings.describe('What the source is and where it lies'),
  secrets: secrets.optional(),
  every_minutes: changeable.every_minutes.default(null),
  max_documents: changeable.max_documents.default(10_000),
  access: ConnectorAccess.default('collection'),
  groups: groups.default([]),
});
export type NewConnector = z.infer<typeof NewConnector>;

export const ConnectorChanges = describedStrictly('What of a connector is changed; what is left out stays', {
  name: changeable.name.optional(),
  settings: ConnectorSettings.optional().describe('What the source is and where it lies; of the same kind'),
  secrets: secrets.optional(),
  every_minutes: changeable.every_minutes.optional(),
  max_documents: changeable.max_documents.optional(),
  paused: z.boolean().optional().describe('Whether it runs by hand alone until it is resumed'),
  access: ConnectorAccess.optional(),
  groups: groups.optional(),
});
export type ConnectorChanges = z.infer<typeof ConnectorChanges>;

/** Documents of which a run tells by name. */
export const MAX_TOLD = 100;

const code = z
  .string()
  .nullable()
  .describe(
    'Class of the failure, such as too_large or unavailable; readers_unknown and group_unknown where nothing failed, but it is not told who may read a document or is in a group; removal_waits where documents that were not met are left, as the listing was not whole; null where it has none',
  );

const why = {
  reason: z.string().describe('Why, in English'),
  reason_code: z
    .string()
    .optional()
    .describe(
      'The same by its name, such as secrets_refused, for surfaces with words of their own; left out where it has none',
    ),
  reason_values: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('Values for these words, such as limit; left out where there are none'),
};

export const ConnectorRun = described('A run of a connector', {
  run_id: z.string().describe('Id of the run, 32 lower-case hexadecimal digits'),
  state: z.enum(['running', 'done', 'cancelled', 'failed']).describe('State; running also while it waits for its turn'),
  dry: z.boolean().describe('Whether it only tells what would be done'),
  seen: z.int().describe('Documents that the source named'),
  added: z.int().describe('Documents that were new'),
  changed: z.int().describe('Documents that had another content'),
  removed: z.int().describe('Documents that were gone, and were removed'),
  failed: z.int().describe('Documents that could not be taken'),
  held_back: z
    .int()
    .describe(
      'Documents that are gone but were left, as they are more than a run removes unasked, or all that there was',
    ),
  readers_changed: z.int().describe('Documents whose readers alone were others'),
  readers_unknown: z
    .int()
    .describe(
      'Documents of which the source does not tell who may read them: whoever may change the collection alone does',
    ),
  failure: z
    .object({ code, ...why })
    .nullable()
    .describe('Why the run failed as a whole; null where it did not'),
  changes: z
    .array(
      z.object({
        name: z.string().describe('Name of the document'),
        change: z
          .enum(['added', 'changed', 'readers', 'removed', 'held_back'])
          .describe('What was done with it, or would be; readers: other people may read it'),
      }),
    )
    .describe('The first 100 documents that were added, changed or removed, or would be'),
  problems: z
    .array(
      z.object({
        name: z.string().describe('Name of the document, or of a part of the source'),
        code,
        ...why,
      }),
    )
    .describe('The first 100 documents that could not be taken, or of which something is to be known'),
  created_at: z.iso.datetime().describe('Time of creation, ISO 8601 in UTC'),
  ended_at: z.iso.datetime().nullable().describe('Time of the end, ISO 8601 in UTC; null while it is running'),
});
export type ConnectorRun = z.infer<typeof ConnectorRun>;

export const Connector = described('A source that a collection is kept in step with', {
  connector_id: z.string().describe('Id of the connector, 32 lower-case hexadecimal digits'),
  collection_id: z.string().describe('Id of the collection'),
  ...changeable,
  settings: ConnectorSettings.describe('What the source is and where it lies'),
  has_secrets: z.boolean().describe('Whether secrets are kept for it'),
  paused: z.boolean().describe('Whether it runs by hand alone until it is resumed'),
  removing: z.boolean().describe('Whether it is being removed together with its documents'),
  access: ConnectorAccess,
  groups,
  next_at: z.iso.datetime().nullable().describe('Time of the next run by schedule; null where there is none'),
  documents: z.int().describe('Documents that were taken from the source'),
  last_run: ConnectorRun.nullable().describe('The newest run; null before the first'),
});
export type Connector = z.infer<typeof Connector>;

export const ConnectorList = described('The connectors of a collection, and what the installation allows', {
  items: z.array(Connector).describe('The connectors, in the order in which they were made'),
  folders: z
    .array(z.string())
    .describe('Folders below which sources of the kind folder may lie; none: there are no such sources'),
  min_minutes: z.int().describe('Shortest time between two runs by schedule, in minutes'),
  max_documents: z.int().describe('Most documents that a connector may take'),
});
export type ConnectorList = z.infer<typeof ConnectorList>;

export const ConnectorRuns = described('Runs of a connector', {
  items: z.array(ConnectorRun).describe('The newest first, 50 at most'),
});

export const NewConnectorRun = describedStrictly('How a connector is to run', {
  dry: z.boolean().default(false).describe('Whether it only tells what would be done'),
  removes_all: z
    .boolean()
    .default(false)
    .describe('Whether it removes all that is gone from the source, also where that is more than half or all'),
});
export type NewConnectorRun = z.infer<typeof NewConnectorRun>;

export const ConnectorRemoval = describedStrictly('Query of the removal of a connector', {
  documents: z
    .enum(['keep', 'remove'])
    .default('keep')
    .describe('keep: its documents stay, as any others; remove: they are removed with it, in the background'),
});
export type ConnectorRemoval = z.infer<typeof ConnectorRemoval>;

export const ConnectorRemoved = described('A connector that was deleted', {
  connector_id: z.string().describe('Id of the connector'),
  documents: z.enum(['keep', 'remove']).describe('What becomes of its documents'),
});
