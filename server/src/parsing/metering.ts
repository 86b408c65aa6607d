import type { TenantId } from '../kernel/context.ts';
import type { UsageRow } from '../usage/index.ts';
import { PARSER_MODEL } from './render/parsed.ts';

/** What counts documents. */
export interface ParseMeter {
  record(row: UsageRow): void;
}

/** What became of a document. */
export interface ParseOutcome {
  /** HTTP status that it was told with, or would have been. */
  readonly status: number;
  readonly outcome: UsageRow['outcome'];
  /** That were read. */
  readonly pages: number;
}

interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the reading. */
  readonly latencyMs: number;
}

/** A document as it is counted: its unit is the page. Source: decisions section 6. */
export const parseUsage = (
  { tenantId, keyId, userId }: { tenantId: TenantId; keyId: string | null; userId: string | null },
  { at, latencyMs, status, outcome, pages }: ParseOutcome & Moment,
): UsageRow => ({
  at,
  tenantId,
  keyId,
  userId,
  endpoint: 'document/parse',
  model: PARSER_MODEL,
  engine: null,
  status,
  outcome,
  stream: false,
  promptTokens: 0,
  completionTokens: 0,
  reasoningTokens: null,
  firstTokenMs: null,
  latencyMs,
  pages,
});
