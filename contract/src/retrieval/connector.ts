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

export const ConnectorSettings = z
  .discriminatedUnion('kind', [FolderSettings, WebdavSettings])
  .describe('What a source is and where it lies, without secrets');
/** What a source is and where it lies, without secrets. */
export type ConnectorSettings = z.infer<typeof ConnectorSettings>;

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
  settings: ConnectorSettings.describe('What the source is and where it lies'),
  secrets: secrets.optional(),
  every_minutes: changeable.every_minutes.default(null),
  max_documents: changeable.max_documents.default(10_000),
});
export type NewConnector = z.infer<typeof NewConnector>;

export const ConnectorChanges = describedStrictly('What of a connector is changed; what is left out stays', {
  name: changeable.name.optional(),
  settings: ConnectorSettings.optional().describe('What the source is and where it lies; of the same kind'),
  secrets: secrets.optional(),
  every_minutes: changeable.every_minutes.optional(),
  max_documents: changeable.max_documents.optional(),
  paused: z.boolean().optional().describe('Whether it runs by hand alone until it is resumed'),
});
export type ConnectorChanges = z.infer<typeof ConnectorChanges>;

export const ConnectorRun = described('A run of a connector', {
  run_id: z.string().describe('Id of the run, 32 lower-case hexadecimal digits'),
  state: z.enum(['running', 'done', 'cancelled', 'failed']).describe('State; running also while it waits for its turn'),
  dry: z.boolean().describe('Whether it only tells what would be done'),
  seen: z.int().describe('Documents that the source named'),
  added: z.int().describe('Documents that were new'),
  changed: z.int().describe('Documents that had another content'),
  removed: z.int().describe('Documents that were gone, and were removed'),
  failed: z.int().describe('Documents that could not be taken'),
  held_back: z.int().describe('Documents that are gone but were left, as they are more than a run removes unasked'),
  failure: z.string().nullable().describe('Why the run failed as a whole; null where it did not'),
  problems: z
    .array(
      z.object({
        name: z.string().describe('Name of the document, or of a part of the source'),
        reason: z.string().describe('Why it could not be taken'),
      }),
    )
    .describe('The first 100 documents that could not be taken'),
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
  next_at: z.iso.datetime().nullable().describe('Time of the next run by schedule; null where there is none'),
  documents: z.int().describe('Documents that were taken from the source'),
  last_run: ConnectorRun.nullable().describe('The newest run; null before the first'),
});
export type Connector = z.infer<typeof Connector>;
