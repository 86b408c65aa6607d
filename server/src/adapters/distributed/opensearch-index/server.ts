import type { IndexAdvice } from '@ai-studio/contract/console/search-index.ts';
import { ADVISED, isBefore, SUPPORTED, type OpenSearchOptions, type Version } from './options.ts';
import type { Client } from './client.ts';

/** What is known of the cluster. */
export interface ServerState {
  readonly version: string;
  /** Why we don't work with it; null where we do. */
  readonly refusal: string | null;
  /** What its operator should know. */
  readonly advice: readonly IndexAdvice[];
}

const text = ([major, minor]: Version): string => `${major}.${minor}`;

/** The version and whether it is one that we work with. Throws Unreachable, and Error where the server refuses us. */
export async function readServer(client: Client, { engine }: Pick<OpenSearchOptions, 'engine'>): Promise<ServerState> {
  const { status, body } = await client.send({ method: 'GET', path: '/', timeoutMs: 10_000 });
  if (status === 401 || status === 403) throw new Error(`it refuses our account (${status})`);
  if (status !== 200) throw new Error(`it answers with ${status}`);
  const { distribution, number = '' } = (body?.version ?? {}) as { distribution?: string; number?: string };
  const [major = 0, minor = 0] = number.split('.').map(Number);
  const version: Version = [major, minor];
  const refusal =
    distribution !== 'opensearch'
      ? 'it is no OpenSearch'
      : isBefore(version, SUPPORTED.from) || !isBefore(version, SUPPORTED.before)
        ? `version ${number} is not supported: it must be ${text(SUPPORTED.from)} or later, before ${text(SUPPORTED.before)}`
        : null;
  const advice: readonly IndexAdvice[] =
    refusal === null && engine === 'lucene' && isBefore(version, ADVISED)
      ? [{ kind: 'later_version', version: text(ADVISED) }]
      : [];
  return { version: number, refusal, advice };
}
