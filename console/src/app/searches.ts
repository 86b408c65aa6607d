import type { AgentState } from '@ai-studio/contract/console/agents.ts';
import type { AuditAction } from '@ai-studio/contract/console/audit.ts';
import { type ConsoleReason, consoleReasons } from '@ai-studio/contract/console/errors.ts';
import type { AnswerRating } from '@ai-studio/contract/console/feedback.ts';
import type { DocumentGroup } from '@ai-studio/contract/console/retrieval.ts';
import { type TableSearch, tableSearch } from '../parts/table/table-search.ts';

// What stands in addresses after the question mark, page by page; what is none of it is left out. The lists stand here, so that the first page does
// not bring what the contract says of all pages.

const documentGroups = ['open', 'ready', 'failed'] as const satisfies readonly DocumentGroup[];
const agentStates = ['draft', 'pending_review', 'deployed', 'archived'] as const satisfies readonly AgentState[];

interface NextSearch {
  /** Address below /console to go to after the sign-in. */
  readonly next?: string | undefined;
  /** Why the person is here: the session has ended, or the single sign-on led nowhere. */
  readonly error?: ConsoleReason | undefined;
}

/** An address of this console only: anything else would let a link lead people elsewhere after the sign-in. */
function isOwnAddress(next: unknown): next is string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next)) return false;
  const { origin } = globalThis.location;
  if (!URL.canParse(`/console${next}`, origin)) return false;
  // As the browser will read it: two dots lead upwards.
  const address = new URL(`/console${next}`, origin);
  return address.origin === origin && /^\/console\/(?!api(?:\/|$))/.test(address.pathname);
}
const isReason = (reason: unknown): reason is ConsoleReason => consoleReasons.some((known) => known === reason);
// Each is named even where it is none: the router takes what is left out from the address as it stands.
export const nextSearch = ({ next, error }: Record<string, unknown>): NextSearch => ({
  next: isOwnAddress(next) ? next : undefined,
  error: isReason(error) ? error : undefined,
});

interface ParserSearch {
  /** Page of the document. */
  readonly page?: number | undefined;
  /** The first block that is shown of it. */
  readonly from?: number | undefined;
  readonly tab?: string | undefined;
}
const wholeNumber = (value: unknown, least: number) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : undefined;
export const parserSearch = ({ page, from, tab }: Record<string, unknown>): ParserSearch => ({
  page: wholeNumber(page, 1),
  from: wholeNumber(from, 1),
  tab: typeof tab === 'string' ? tab : undefined,
});

interface CollectionsSearch extends TableSearch {
  readonly tab?: string | undefined;
  /** Page of the document. */
  readonly page?: number | undefined;
  /** Chunk of the document. */
  readonly chunk?: string | undefined;
  /** Group of documents that is listed, and which part of the list. */
  readonly group?: DocumentGroup | undefined;
  readonly part?: number | undefined;
}
export const collectionsSearch = ({
  tab,
  page,
  chunk,
  group,
  part,
  ...more
}: Record<string, unknown>): CollectionsSearch => ({
  ...tableSearch(more),
  group: documentGroups.find((known) => known === group),
  part: wholeNumber(part, 1),
  tab: typeof tab === 'string' ? tab : undefined,
  page: wholeNumber(page, 1),
  chunk: typeof chunk === 'string' ? chunk : undefined,
});

interface AgentSearch {
  readonly tab?: string | undefined;
  /** Session whose messages are shown. */
  readonly session?: number | undefined;
  /** Only sessions with an answer that was rated so. */
  readonly rating?: AnswerRating | undefined;
}
export const agentSearch = ({ tab, session, rating }: Record<string, unknown>): AgentSearch => ({
  tab: typeof tab === 'string' ? tab : undefined,
  session: wholeNumber(session, 1),
  rating: rating === 'up' || rating === 'down' ? rating : undefined,
});

interface AgentsSearch extends TableSearch {
  /** Only agents in this state. */
  readonly state?: AgentState | undefined;
}
export const agentsSearch = ({ state, ...more }: Record<string, unknown>): AgentsSearch => ({
  ...tableSearch(more),
  state: agentStates.find((known) => known === state),
});

/** Written as one; the page asks for nothing that it does not know. */
const isActionName = (value: unknown) => typeof value === 'string' && /^[a-z_]{1,60}$/.test(value);

interface AuditSearch extends TableSearch {
  readonly action?: AuditAction | undefined;
  /** Only what this person did. */
  readonly person?: string | undefined;
  /** Days back; left out for all. */
  readonly days?: number | undefined;
}
export const auditSearch = ({ action, person, days, ...more }: Record<string, unknown>): AuditSearch => ({
  ...tableSearch(more),
  action: isActionName(action) ? (action as AuditAction) : undefined,
  person: typeof person === 'string' ? person.slice(0, 64) : undefined,
  days: wholeNumber(days, 1),
});

/** Prompts of everybody, of the person, or those that are shared. */
interface PromptsSearch extends TableSearch {
  readonly show?: 'own' | 'shared' | undefined;
}
export const promptsSearch = ({ show, ...more }: Record<string, unknown>): PromptsSearch => ({
  ...tableSearch(more),
  show: show === 'own' || show === 'shared' ? show : undefined,
});
