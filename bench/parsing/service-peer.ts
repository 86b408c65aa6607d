import { existsSync, mkdirSync, openAsBlob, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Case } from './cases.ts';

/** A service that reads documents for a key, with the reader of pages that is asked for. */
export interface ServicePeer {
  readonly url: string;
  readonly key: string;
  /** What its Markdown is called among the peers. */
  readonly name: string;
  /** `parser_type` of the call, `layout_model` where there is one. */
  readonly fields: Readonly<Record<string, string>>;
  /** Between two questions whether it is done. */
  readonly pollMs: number;
}

/** What became of a document; `kept` is one that has its Markdown from an earlier run. */
export interface PeerOutcome {
  readonly state: 'read' | 'kept' | 'refused';
  readonly seconds: number;
  /** Warnings of the service by code, such as `layout_not_read` of pages that it read by itself; the reason of a refusal. */
  readonly told: readonly string[];
}

interface Reply {
  readonly status: { readonly message: string };
  readonly result: {
    readonly document_id: string;
    readonly status: string;
    readonly contents?: string;
    readonly reason?: { readonly code: string };
    readonly warnings?: readonly { readonly code: string; readonly page?: number }[];
  };
}

/** Formats whose pages can be drawn. */
export const isDrawn = ({ format }: Pick<Case, 'format'>): boolean => format === 'pdf' || format === 'image';

async function ask({ url, key }: ServicePeer, path: string, body?: FormData): Promise<Reply['result'] | Error> {
  const response = await fetch(`${url}/v1/document/${path}`, {
    headers: { Authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
  const { status, result } = (await response.json()) as Reply;
  return response.ok ? result : new Error(`${response.status} ${status.message}`);
}

/** Has a document read in the background and keeps its Markdown in the folder of peers, as `peerFilesOf` finds it. */
export async function readByService(
  peer: ServicePeer,
  folder: string,
  { path, name }: Pick<Case, 'path' | 'name'>,
): Promise<PeerOutcome> {
  const file = join(folder, dirname(name), `${basename(name)}.${peer.name}.md`);
  if (existsSync(file)) return { state: 'kept', seconds: 0, told: [] };
  const startMs = performance.now();
  const secondsNow = () => (performance.now() - startMs) / 1_000;
  const form = new FormData();
  for (const [field, value] of Object.entries({ response_format: 'markdown', ...peer.fields })) form.set(field, value);
  form.set('file', await openAsBlob(path), basename(path));
  let result = await ask(peer, 'parse/async', form);
  while (!(result instanceof Error) && result.status === 'RUNNING_INFERENCE') {
    await delay(peer.pollMs);
    result = await ask(peer, `${result.document_id}/content`);
  }
  const refused = (why: string): PeerOutcome => ({ state: 'refused', seconds: secondsNow(), told: [why] });
  if (result instanceof Error) return refused(result.message);
  if (result.contents === undefined) return refused(result.reason?.code ?? result.status);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, result.contents);
  return { state: 'read', seconds: secondsNow(), told: (result.warnings ?? []).map(({ code }) => code) };
}
