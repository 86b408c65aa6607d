import type { RunFile, RunPart } from '@ai-studio/contract/agents/run.ts';
import type { TenantId } from '../../kernel/context.ts';
import { MAX_FILES_BYTES } from '../runs/answer-parts.ts';
import type { A2aForm } from './form.ts';

// Data and files of an answer as parts of A2A. Sources: A2A 0.3, section 6.5; A2A 1.0, section 4.1.6.

/** A part with all that callers are told: files with their bytes. */
export type ShownPart =
  | { readonly kind: 'data'; readonly id: string; readonly name: string; readonly data: unknown }
  | { readonly kind: 'file'; readonly id: string; readonly file: RunFile; readonly base64: string };

/** Reads the bytes of a file of the tenant; null where it is not kept any more. */
export type ReadRunFile = (tenantId: TenantId, file: RunFile, maxBytes: number) => Promise<Buffer | null>;

/** Whether a caller takes a media type. */
export type Accepts = (mediaType: string) => boolean;

/** What a caller takes who names these output modes: all where none is named. Source: A2A 1.0, section 3.2.2. */
export function acceptsOf(modes: readonly string[] | null): Accepts {
  if (modes === null || modes.length === 0) return () => true;
  const named = modes.map((mode) => (mode.split(';')[0] ?? '').trim().toLowerCase());
  return (mediaType) => {
    const type = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
    return named.some((mode) => mode === type || mode === '*/*' || mode === '*' || mode === `${type.split('/')[0]}/*`);
  };
}

const mediaTypeOf = (part: RunPart) => (part.kind === 'data' ? 'application/json' : part.file.media_type);

/** A part as this caller is told of it; null for one that the caller does not take, and for a file that is not kept any more. */
export type LoadPart = (part: RunPart) => Promise<ShownPart | null>;

export const createLoadPart =
  (readFile: ReadRunFile, tenantId: TenantId, accepts: Accepts): LoadPart =>
  async (part) => {
    if (!accepts(mediaTypeOf(part))) return null;
    if (part.kind === 'data') return part;
    const bytes = await readFile(tenantId, part.file, MAX_FILES_BYTES);
    return bytes === null ? null : { ...part, base64: bytes.toString('base64') };
  };

/** Parts one after the other: they may be large. */
export async function loadParts(load: LoadPart, parts: readonly RunPart[]): Promise<readonly ShownPart[]> {
  const shown: ShownPart[] = [];
  for (const part of parts) {
    const one = await load(part);
    if (one !== null) shown.push(one);
  }
  return shown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Data in 0.3 are an object; libraries of both versions know any other value by this mark. */
const WRAPPED = { data_part_compat: true } as const;

/** What a data part of 0.3 holds, also where it was wrapped. */
export const unwrapData = (data: Readonly<Record<string, unknown>>, metadata: unknown): unknown =>
  isObject(metadata) && metadata['data_part_compat'] === true && 'value' in data ? data['value'] : data;

export function dataPart(form: A2aForm, data: unknown): object {
  if (form === '1.0') return { data, mediaType: 'application/json' };
  return isObject(data) ? { kind: 'data', data } : { kind: 'data', data: { value: data }, metadata: WRAPPED };
}

/** A part in either form. */
export function renderPart(form: A2aForm, part: ShownPart): object {
  if (part.kind === 'data') return dataPart(form, part.data);
  const { name, media_type: mediaType } = part.file;
  return form === '0.3'
    ? { kind: 'file', file: { bytes: part.base64, mimeType: mediaType, name } }
    : { raw: part.base64, filename: name, mediaType };
}

/** A part as an artifact of its own. */
export const artifactOf = (form: A2aForm, part: ShownPart) => ({
  artifactId: part.id,
  name: part.kind === 'data' ? part.name : part.file.name,
  parts: [renderPart(form, part)],
});
