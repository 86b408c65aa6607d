import type { Client } from './client.ts';
import { isBefore, SUPPORTED, type Version } from './options.ts';

/** What is known of the cluster. */
export interface ServerState {
  readonly version: string;
  /** Why we don't work with it; null where we do. */
  readonly refusal: string | null;
}

const text = ([major, minor]: Version): string => `${major}.${minor}`;

/** The version and whether it is one that we work with. Throws Unreachable, and Error where the server refuses us. */
export async function readServer(client: Client): Promise<ServerState> {
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
  return { version: number, refusal };
}
