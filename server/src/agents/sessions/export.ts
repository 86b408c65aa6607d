import type { TextByLanguage } from '@ai-studio/contract/console/ai-texts.ts';
import type { AgentRun } from '@ai-studio/contract/console/agent-talks.ts';
import { talkJson } from '../../kernel/talk-json.ts';
import { talkMarkdown, type TalkReader, type TalkTurn } from '../../kernel/talk-markdown.ts';
import type { Database } from '../../ports/database.ts';
import { sessionNotFound, type SessionScope } from './session-scope.ts';
import { readAgentSession } from './sessions.ts';

interface ExportedSession {
  /** May be empty. */
  readonly title: string;
  readonly createdAt: string;
  /** Name of the agent, which stands with its answers. */
  readonly agent: string;
  readonly runs: readonly AgentRun[];
}

/** A run as question and answer; what the agent asked meanwhile, and what it was told, stand where that was. */
function turnsOf(run: AgentRun, agent: string): TalkTurn[] {
  const common = { reasoning: null, files: [], sources: [], ended: null, by: '', at: run.created_at } as const;
  const asked = run.exchanges.flatMap(({ question, text, at }, index): TalkTurn[] => [
    {
      ...common,
      role: 'assistant',
      by: agent,
      content: [run.answer.slice(run.exchanges[index - 1]?.at ?? 0, at), question].filter(Boolean).join('\n\n'),
    },
    { ...common, role: 'user', content: text },
  ]);
  const state = run.state === 'failed' ? 'failed' : run.state === 'canceled' ? 'stopped' : null;
  return [
    { ...common, role: 'user', content: run.text, files: run.files.map(({ name }) => name) },
    ...asked,
    {
      ...common,
      role: 'assistant',
      by: agent,
      content: [run.answer.slice(run.exchanges.at(-1)?.at ?? 0), run.question ?? ''].filter(Boolean).join('\n\n'),
      files: run.parts.flatMap((part) => (part.kind === 'file' ? [part.file.name] : [])),
      sources: run.citations.map(({ number, document_name: name, page }) => ({ number, name, page })),
      ended: state === null ? null : { state, why: run.failure?.message ?? null },
    },
  ];
}

/** A session with an agent as Markdown for people, with the mark of AI. */
export const sessionMarkdown = ({ title, createdAt, agent, runs }: ExportedSession, reader: TalkReader): string =>
  talkMarkdown({ title, createdAt, systemPrompt: null, turns: runs.flatMap((run) => turnsOf(run, agent)) }, reader);

interface SessionExport {
  readonly title: string;
  markdown(reader: TalkReader): string;
  json(mark: TextByLanguage): string;
}

/** A session that is there for the person, in the forms that it is exported in. Errors: `not_found`. */
export async function exportSession(
  { db }: { readonly db: Database },
  scope: SessionScope,
  id: number,
): Promise<SessionExport> {
  const { session, items: runs } = await readAgentSession({ db }, scope, id);
  const agent = await db.query
    .selectFrom('agents')
    .select(['slug', 'name'])
    .where('id', '=', scope.agentId)
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow(sessionNotFound);
  const { title, created_at: createdAt } = session;
  return {
    title,
    markdown: (reader) => sessionMarkdown({ title, createdAt, agent: agent.name, runs }, reader),
    json: (mark) => talkJson('ai-studio-agent-session', mark, { agent, session, runs }),
  };
}
